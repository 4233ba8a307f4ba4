import { beforeEach, describe, expect, it } from 'vitest';
import { insertOrganization } from '../support/fixtures.ts';
import { importInto } from '../support/import.ts';
import { inDays } from '../support/public-world.ts';
import { type Caller, query, send } from '../support/send.ts';
import { createTeam, serve, type Team } from '../support/server.ts';
import { created, facesOf, type WrittenEvent } from '../support/write-faces.ts';

// A slug that was changed leads to its event until another event is given it (reference/events.md#slugs).

const server = await serve();
const dates = { date_start: inDays(10).toISOString(), date_end: inDays(11).toISOString() };

let team: Team;
beforeEach(async () => {
  team = await createTeam(server);
});

/** The event that a slug leads to by both faces, to anybody; null if there is none. */
async function leadsTo(slug: string, organizationId = team.organizationId): Promise<string | null> {
  const anybody = { organizationId };
  const rest = await send<{ id?: string; code?: string }>(server, anybody, `GET /public/events/${slug}`);
  const document = 'query ($slug: String!) { publicEvent: publicEventBySlug(slug: $slug) { databaseId } }';
  const { publicEvent } = await query<{ publicEvent: { databaseId: string } | null }>(server, anybody, document, {
    slug,
  });
  expect(publicEvent?.databaseId ?? 'NOT_FOUND').toBe(rest.body.id ?? rest.body.code);
  return publicEvent?.databaseId ?? null;
}

const importEvents = (...events: object[]) => importInto(server.databaseUrl, { events });

describe.each(facesOf(server))('by $name', (face) => {
  const create = (slug: string, fields: Record<string, unknown> = {}) =>
    created(face, team.manager, { name: 'Public', visibility: 'public', ...dates, slug, ...fields });
  const rename = async ({ id }: WrittenEvent, slug: string) =>
    expect(await face.updateEvent(team.manager, id, { slug })).toMatchObject({ code: null, value: { slug } });

  it('every former slug leads to the event, and so does one that it has again', async () => {
    const { id } = await create('first');
    const event = { id } as WrittenEvent;
    await rename(event, 'second');
    await rename(event, 'third');
    for (const slug of ['first', 'second', 'third']) expect(await leadsTo(slug)).toBe(id);
    await rename(event, 'first');
    await rename(event, 'second');
    for (const slug of ['first', 'second', 'third']) expect(await leadsTo(slug)).toBe(id);
    // and to nothing elsewhere
    expect(await leadsTo('first', (await insertOrganization(server.orm)).id)).toBeNull();
  });

  it('members read the event by its id, its slug and former ones; nobody else does, and nobody a draft', async () => {
    const event = await create('members-first', { visibility: 'organization' });
    await rename(event, 'members-second');
    const readBy = async (caller: Caller, name: string) => {
      const rest = await send<{ id?: string; code?: string }>(server, caller, `GET /events/${name}?fields=id`);
      const { eventBySlug } = await query<{ eventBySlug: { databaseId: string } | null }>(
        server,
        caller,
        'query ($slug: String!) { eventBySlug(slug: $slug) { databaseId } }',
        { slug: name },
      );
      if (name !== event.id) expect(eventBySlug?.databaseId ?? 'NOT_FOUND').toBe(rest.body.id ?? rest.body.code);
      return rest.body.id ?? null;
    };
    for (const name of ['members-first', 'members-second', event.id]) {
      expect(await readBy(team.member, name)).toBe(event.id);
      expect(await readBy((await createTeam(server)).member, name)).toBeNull();
    }
    const tagged = await send(server, team.member, 'GET /events/members-first');
    expect([tagged.headers.get('etag'), tagged.body.slug]).toEqual(['"2"', 'members-second']);
    const draft = await create('members-draft', { status: 0 });
    expect(await readBy(team.manager, 'members-draft')).toBe(draft.id);
    expect(await readBy(team.member, 'members-draft')).toBeNull();
  });

  it('a former slug leads to nothing while its event is hidden', async () => {
    const event = await create('open');
    await rename(event, 'closed');
    await face.updateEvent(team.manager, event.id, { visibility: 'organization' });
    expect([await leadsTo('open'), await leadsTo('closed')]).toEqual([null, null]);
    await face.updateEvent(team.manager, event.id, { visibility: 'public' });
    expect(await leadsTo('open')).toBe(event.id);
  });

  it.each(['created', 'copied', 'renamed'])('an event that is %s with a former slug gets it for good', async (how) => {
    const before = await create('wanted');
    await rename(before, 'other');
    const other = await create('another');
    const given = async () => {
      if (how === 'created') return await create('wanted');
      if (how === 'renamed') await rename(other, 'wanted');
      return how === 'renamed'
        ? other
        : (await face.duplicateEvent(team.manager, other.id, { slug: 'wanted', status: 1 })).value;
    };
    const now = await given();
    expect(await leadsTo('wanted')).toBe(now.id);
    // also when it gives it up, or cannot be seen
    await rename(now, 'later');
    expect(await leadsTo('wanted')).toBe(now.id);
    await face.updateEvent(team.manager, now.id, { status: 3 });
    expect(await leadsTo('wanted')).toBeNull();
    expect(await leadsTo('other')).toBe(before.id);
  });

  it.each(['created', 'renamed', 'imported'])(
    'no cache may keep where a former slug led, once a draft is %s with it',
    async (how) => {
      await rename(await create('wanted'), 'other');
      const draft = await create('draft', { status: 0 });
      const [{ slug: organization } = { slug: '' }] = await server.execute<{ slug: string }>(
        'select slug from organization where id = ?',
        [team.organizationId],
      );
      const paths = ['/public/events/wanted', `/o/${organization}/wanted.ics`];
      const { organizationId } = team;
      const ask = (path: string, tag = '') =>
        send(server, { organizationId }, `GET ${path}`, undefined, { 'if-none-match': tag });
      const tags = await Promise.all(paths.map(async (path) => (await ask(path)).headers.get('etag') ?? undefined));
      for (const [index, path] of paths.entries()) expect((await ask(path, tags[index])).status, path).toBe(304);
      if (how === 'created') await create('wanted', { status: 0 });
      else if (how === 'renamed') await rename(draft, 'wanted');
      else {
        const { organizationId: organization_id } = team;
        await importEvents({ id: draft.id, organization_id, name: 'Draft', slug: 'wanted', ...dates });
      }
      for (const [index, path] of paths.entries()) expect((await ask(path, tags[index])).status, path).toBe(404);
    },
  );

  it('a slug is free, now and formerly, once its event is deleted', async () => {
    const draft = await create('gone', { status: 0, name: 'Gone' });
    await rename(draft, 'went');
    expect((await face.deleteEvent(team.manager, draft.id)).code).toBeNull();
    expect([await leadsTo('gone'), await leadsTo('went')]).toEqual([null, null]);
    const { value } = await face.createEvent(team.manager, { name: 'Gone', ...dates });
    expect(value.slug).toBe('gone');
  });

  it('an import gives an event a former slug for good, and leaves the slugs that it changes leading to it', async () => {
    const before = await create('wanted');
    await rename(before, 'other');
    const imported = await create('imported');
    const row = { id: imported.id, organization_id: team.organizationId, name: 'Public', ...dates };
    await importEvents({ ...row, slug: 'wanted' });
    expect(await leadsTo('wanted')).toBe(imported.id);
    expect(await leadsTo('imported')).toBe(imported.id);
    await face.updateEvent(team.manager, imported.id, { visibility: 'organization' });
    expect(await leadsTo('wanted')).toBeNull();
    await face.updateEvent(team.manager, imported.id, { visibility: 'public' });
    await rename(imported, 'later');
    for (const slug of ['wanted', 'imported', 'later']) expect(await leadsTo(slug)).toBe(imported.id);
    expect(await leadsTo('other')).toBe(before.id);
  });

  it('an import makes no slug of a name that an event had, and lets events swap theirs', async () => {
    const [first, second] = [await create('fete'), await create('fete-2')];
    await rename(first, 'renamed');
    const row = { organization_id: team.organizationId, name: 'Fete', visibility: 'public', status: 1, ...dates };
    const id = '0192aaaa-0000-7000-8000-0000000000e1';
    await importEvents({ ...row, id });
    const [made] = await server.execute<{ slug: string }>('select slug from event where id = ?', [id]);
    expect(made?.slug).toBe('fete-3');
    expect([await leadsTo('fete'), await leadsTo('fete-2')]).toEqual([first.id, second.id]);
    await importEvents({ ...row, id: first.id, slug: 'fete-2' }, { ...row, id: second.id, slug: 'renamed' });
    expect(await leadsTo('renamed')).toBe(second.id);
    expect(await leadsTo('fete-2')).toBe(first.id);
    expect(await leadsTo('fete')).toBe(first.id);
    await rename(first, 'last');
    expect(await leadsTo('fete-2')).toBe(first.id);
    await server.execute('delete from event where id = ?', [id]);
  });

  it('an event that an import takes to another organization leaves none of its slugs behind', async () => {
    const event = await create('moves');
    await rename(event, 'moved');
    const there = (await insertOrganization(server.orm)).id;
    await importEvents({ id: event.id, organization_id: there, name: 'Public', ...dates });
    expect([await leadsTo('moves'), await leadsTo('moved')]).toEqual([null, null]);
    expect(await leadsTo('moved', there)).toBe(event.id);
    const { value } = await face.createEvent(team.manager, { name: 'Moves', ...dates });
    expect(value.slug).toBe('moves');
    await server.execute('delete from event where id = ?', [event.id]);
  });
});
