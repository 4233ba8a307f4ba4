import { beforeAll, describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import { refusalOf, send } from '../support/send.ts';
import { createTeam, serve, type Team } from '../support/server.ts';
import { created, facesOf, future, mutate, type WriteFace, type WrittenEvent } from '../support/write-faces.ts';

// The values of reference/events.md#values, at their limits, on both faces.

const server = await serve();
/** One character, two units of UTF-16. */
const astral = '𝄞';

describe.each(facesOf(server))('by $name', (face) => {
  let team: Team;
  beforeAll(async () => {
    team = await createTeam(server);
  });

  const create = async (fields: Record<string, unknown> = {}) =>
    await created(face, team.manager, { name: 'Values', status: 0, ...fields });
  const read = async ({ id }: WrittenEvent) =>
    (await send<EventRow>(server, team.manager, `GET /events/${id}`)).body as EventRow & Record<string, unknown>;

  /** The three ways to give an event a value; each answers with the event. */
  const writes: [string, (fields: Record<string, unknown>) => ReturnType<WriteFace['createEvent']>][] = [
    ['created', async (fields) => await face.createEvent(team.manager, { name: 'Values', ...future, ...fields })],
    ['changed', async (fields) => await face.updateEvent(team.manager, (await create()).id, fields)],
    ['copied', async (fields) => await face.duplicateEvent(team.manager, (await create()).id, fields)],
  ];

  describe.each(writes)('an event that is %s', (_, write) => {
    it.each([
      ['name', 200],
      ['location', 500],
      ['description', 20_000],
    ])('has a %s of up to %i code points', async (field, limit) => {
      const longest = astral.repeat(limit);
      const { code, value } = await write({ [field]: longest });
      expect(code).toBeNull();
      expect((await read(value))[field]).toBe(longest);
      const refused = await write({ [field]: `${longest}x` });
      expect([refused.code, refused.pointers]).toEqual(['VALIDATION_ERROR', [`/${field}`]]);
    });

    it('has a name and a place without white space around them, and the description as it was given', async () => {
      const longest = { name: astral.repeat(200), location: astral.repeat(500) };
      const description = ' \r\n\tAs it is. \u00a0\n';
      const padded = { name: `\t\u00a0${longest.name}\u2028 `, location: ` \n${longest.location}\ufeff` };
      const { value } = await write({ ...padded, description });
      expect(await read(value)).toMatchObject({ ...longest, description });
    });

    it.each([
      ['no places', { capacity: 0 }],
      ['a million places', { capacity: 1_000_000 }],
      ['the first moment', { date_start: '1900-01-01T00:00:00.000Z' }],
      ['the last moment', { date_start: '9999-12-31T23:59:59.999Z', date_end: '9999-12-31T23:59:59.999Z' }],
      ['no duration', { date_start: future.date_start, date_end: future.date_start }],
    ])('may have %s', async (_title, fields) => {
      const { code, value } = await write(fields);
      expect(code).toBeNull();
      expect(await read(value)).toMatchObject(fields);
    });

    it.each([
      ['asia/calcutta', 'Asia/Calcutta'],
      ['EUROPE/kyiv', 'Europe/Kyiv'],
      ['etc/gmt+5', 'Etc/GMT+5'],
    ])('has the zone %s as %s', async (given, stored) => {
      const { value } = await write({ timezone: given });
      expect((await read(value)).timezone).toBe(stored);
    });
  });

  it('copies of a name whose slug has 80 characters are numbered within them', async () => {
    const slug = 'long-'.padEnd(80, 'x');
    const first = await create({ name: slug.replace('-', ' ') });
    const slugs = [first.slug];
    for (let number = 2; number <= 11; number += 1) {
      const copied = number % 2 === 0;
      const { value } = await (copied
        ? face.duplicateEvent(team.manager, first.id, {})
        : face.createEvent(team.manager, { name: slug, ...future }));
      slugs.push(value.slug);
    }
    const numbered = Array.from({ length: 10 }, (_, index) => `-${index + 2}`);
    expect(slugs).toEqual([slug, ...numbered.map((suffix) => slug.slice(0, 80 - suffix.length) + suffix)]);
    // and one that a client chose is passed over
    expect((await create({ slug: `${slug.slice(0, 77)}-12` })).slug).toHaveLength(80);
    expect((await create({ name: slug })).slug).toBe(`${slug.slice(0, 77)}-13`);
  });

  it('a number never follows a hyphen, wherever the slug is cut', async () => {
    for (const letters of [76, 77, 78, 79]) {
      const start = `${'abcdefghij'[letters % 10]}`.repeat(letters);
      const name = `${start} ${'z'.repeat(30)}`;
      const slugs = [];
      for (let copy = 0; copy < 11; copy += 1) slugs.push((await create({ name })).slug);
      expect(slugs[0]).toBe(`${start}-${'z'.repeat(30)}`.slice(0, 80).replace(/-$/, ''));
      expect(new Set(slugs).size).toBe(11);
      for (const slug of slugs) {
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(80);
      }
      expect(slugs.at(-1)).toBe(`${`${start}-zzz`.slice(0, 77).replace(/-$/, '')}-11`);
    }
  });

  it('a name that makes no slug gets another', async () => {
    for (const name of ['Export', ' new! ', 'CALENDAR', '019B7739-16C4-713D-922E-37C3D4317409']) {
      const word = name.toLowerCase().replace(/[^a-z0-9-]/g, '');
      expect((await create({ name })).slug).toBe(`${word}-2`);
    }
    expect((await create({ name: 'Fête: l’Été “2027”' })).slug).toBe('fete-l-ete-2027');
    const { manager: elsewhere } = await createTeam(server);
    const slugOf = async (name: string) => (await face.createEvent(elsewhere, { name, ...future })).value.slug;
    expect([await slugOf('東京 — 🎉'), await slugOf('🎉')]).toEqual(['event', 'event-2']);
  });

  it('a slug is numbered where it is taken or was, stays when the name changes, and can be given once', async () => {
    const [first, second] = [await create({ name: 'Lange Nacht' }), await create({ name: 'Lange Nacht' })];
    expect([first.slug, second.slug]).toEqual(['lange-nacht', 'lange-nacht-2']);
    expect((await face.updateEvent(team.manager, second.id, { slug: 'kurz' })).value.slug).toBe('kurz');
    expect((await create({ name: 'Lange Nacht' })).slug).toBe('lange-nacht-3');
    expect((await face.updateEvent(team.manager, first.id, { name: 'Kurze Nacht' })).value.slug).toBe('lange-nacht');
    const taken = await face.createEvent(team.manager, { name: 'x', ...future, slug: 'lange-nacht' });
    expect([taken.code, taken.pointers]).toEqual(['CONFLICT', ['/slug']]);
    // a former one may be chosen, also by the event that had it
    expect((await face.updateEvent(team.manager, second.id, { slug: 'lange-nacht-2' })).value.slug).toBe(
      'lange-nacht-2',
    );
    expect((await create({ slug: 'kurz' })).slug).toBe('kurz');
  });

  it('many who create events of one name at once get different slugs', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => create({ name: 'Parallel' })));
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(12);
  });

  it.each([
    ['with capitals', 'Älter Form'],
    ['that is reserved', 'count'],
    ['of 200 code points', astral.repeat(200)],
  ])('a slug %s can be sent back to the event that has it, and given to no other', async (_, slug) => {
    const event = await create();
    await server.execute('update event set slug = ? where id = ?', [slug, event.id]);
    const same = await face.updateEvent(team.manager, event.id, { slug, name: 'Sent back' });
    expect(same).toMatchObject({ code: null, value: { slug, version: 2 } });
    for (const given of [slug, `${slug} x`]) {
      const other = await face.updateEvent(team.manager, (await create()).id, { slug: given });
      expect([other.code, other.pointers]).toEqual(['VALIDATION_ERROR', ['/slug']]);
    }
    await server.execute('delete from event where id = ?', [event.id]);
  });

  it('a change to what is there already changes nothing, and one to something else counts on', async () => {
    const event = await create({ description: 'Same', location: 'Hall', capacity: 3, timezone: 'Europe/Berlin' });
    const before = await read(event);
    const { id, accepted_count, version, created_at, updated_at, ...fields } = before;
    for (const same of [{}, fields, { timezone: 'europe/berlin' }, { location: ' Hall ' }, { notify: false }]) {
      expect(await face.updateEvent(team.manager, event.id, same)).toMatchObject({ code: null, value: { version: 1 } });
      expect(await read(event)).toEqual(before);
    }
    await face.updateEvent(team.manager, event.id, { ...fields, description: 'Other' });
    const after = await read(event);
    expect(after).toEqual({ ...before, description: 'Other', version: 2, updated_at: after.updated_at });
    expect(after.updated_at > updated_at).toBe(true);
  });

  it('imported values that have other limits can be sent back, and only they', async () => {
    const event = await create();
    const odd = { name: 'a\u0007b', slug: `Odd_${event.slug}`, location: `\n${'l'.repeat(600)}`, capacity: 2_000_000 };
    const old = { date_start: '1500-01-01T00:00:00.000Z', date_end: '1600-01-01T00:00:00.000Z' };
    await server.execute(
      'update event set name = ?, slug = ?, location = ?, capacity = ?, date_start = ?, date_end = ? where id = ?',
      [...Object.values(odd), ...Object.values(old), event.id],
    );
    const before = await read(event);
    const { id, accepted_count, version, created_at, updated_at, ...fields } = before;
    expect(fields).toMatchObject({ ...odd, ...old });
    expect((await face.updateEvent(team.manager, event.id, fields)).code).toBeNull();
    expect(await read(event)).toEqual(before);
    expect((await face.updateEvent(team.manager, event.id, { ...fields, description: 'Other' })).code).toBeNull();
    expect(await read(event)).toMatchObject({ ...fields, description: 'Other', version: 2 });

    const others = { name: 'a\u0008b', slug: 'Odd', location: '\n', capacity: 2_000_001 };
    const refused = await face.updateEvent(team.manager, event.id, { ...others, date_end: old.date_end });
    expect(refused.pointers.sort()).toEqual(['/capacity', '/location', '/name', '/slug']);
    const later = await face.updateEvent(team.manager, event.id, { ...odd, date_start: future.date_start });
    expect(later.pointers).toEqual([face.name === 'rest' ? '/date_start' : '/dateStart']);
    const copy = await face.duplicateEvent(team.manager, event.id, { capacity: odd.capacity });
    expect(copy.pointers).toEqual(['/capacity']);
    await server.execute('delete from event where id = ?', [event.id]);
  });
});

it('the name of an organization has up to 200 code points on both faces, when it is founded and when it changes', async () => {
  const { owner } = await createTeam(server);
  const founder = { accessToken: owner.accessToken };
  const name = astral.repeat(200);
  for (const [caller, request, field] of [
    [founder, 'POST /organizations', 'createOrganization'],
    [owner, 'PATCH /organization', 'updateOrganization'],
  ] as const) {
    const byGraphql = (given: string) => mutate(server, caller, field, 'organization { name }', { name: given });
    for (const given of [name, ` ${name}\u00a0`]) {
      expect((await send(server, caller, request, { name: given })).body.name).toBe(name);
      expect((await byGraphql(given)).data).toEqual({ [field]: { organization: { name } } });
    }
    for (const refused of [await send(server, caller, request, { name: `${name}x` }), await byGraphql(`${name}x`)])
      expect(refusalOf(refused)).toEqual({ code: 'VALIDATION_ERROR', pointers: ['/name'] });
  }
});
