import { describe, expect, it } from 'vitest';
import type { PublicEventRow } from '../../src/domain/public/public-event.resource.ts';
import { insertOrganization } from '../support/fixtures.ts';
import { holding } from '../support/locks.ts';
import { inDays, type PublicEventInput, publicPlace } from '../support/public-world.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';

const server = await serve();

describe('caches', () => {
  const paths = ['', '?limit=1', '/count', '/{id}', '/{slug}', '/{id}/form'];

  /** Asks again with an entity tag. */
  const confirm = (organizationId: string, path: string, tag: string, method = 'GET') =>
    send<PublicEventRow>(server, { organizationId }, `${method} /public/events${path}`, undefined, {
      'if-none-match': tag,
    });

  it.each(paths)('may keep /public/events%s for 30 seconds, and confirm it without a list query', async (template) => {
    const { event, get, organizationId } = await publicPlace(server);
    const { id, slug } = await event();
    const path = template.replace('{id}', id).replace('{slug}', slug);
    const first = await get<unknown>(path);
    const tag = first.headers.get('etag') as string;
    expect(first.headers.get('cache-control')).toBe('public, max-age=30');
    expect(first.headers.get('vary')).toBe('x-organization-id');
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    for (const [given, method] of [[tag], [tag.slice(2)], [`"other", ${tag}`], [tag, 'HEAD']] as [string, string?][]) {
      const { result, statements } = await countStatements(server.orm, () =>
        confirm(organizationId, path, given, method),
      );
      expect([result.status, result.text], given).toEqual([304, '']);
      expect(result.headers.get('etag')).toBe(tag);
      expect(result.headers.get('cache-control')).toBe('public, max-age=30');
      expect(result.headers.get('vary')).toBe('x-organization-id');
      expect(statements).toEqual([expect.stringContaining('public_revision')]);
    }
    for (const given of ['"other"', `w/${tag.slice(2)}`, `other ${tag}`, `${tag} ${tag}`]) {
      expect((await confirm(organizationId, path, given)).status, given).toBe(200);
    }
    const other = await publicPlace(server);
    const { id: theirs } = await other.event({ slug });
    const same = template.replace('{id}', theirs).replace('{slug}', slug);
    expect((await confirm(other.organizationId, same, tag)).status).toBe(200);
  });

  it.each(paths)('confirm /public/events%s for any tag, but only once the object was found', async (template) => {
    const { event, organizationId } = await publicPlace(server);
    const { id, slug } = await event();
    const path = template.replace('{id}', id).replace('{slug}', slug);
    const tag = (await confirm(organizationId, path, '"other"')).headers.get('etag');
    const any = await confirm(organizationId, path, '*');
    expect([any.status, any.text, any.headers.get('etag')]).toEqual([304, '', tag]);
    expect((await confirm(organizationId, path, '"*"')).status).toBe(200);
    // one event takes no `limit`
    const nothing = await confirm(organizationId, `/nothing${path.replace('?limit=1', '')}`, '*');
    expect(nothing.status).toBe(404);
    expect((await confirm(organizationId, '/nothing', '*')).status).toBe(404);
  });

  it('have a tag of their own for each body of POST /public/events/query', async () => {
    const { event, organizationId } = await publicPlace(server);
    await event();
    const tagOf = async (body: object) => {
      const { status, headers } = await send(server, { organizationId }, 'POST /public/events/query', body);
      expect(status).toBe(200);
      return headers.get('etag');
    };
    const [one, same, other] = [await tagOf({ limit: 1 }), await tagOf({ limit: 1 }), await tagOf({ limit: 2 })];
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it('do not store errors, or responses to other requests', async () => {
    const { event, get, organizationId } = await publicPlace(server);
    await event();
    const tag = (await get('')).headers.get('etag') as string;
    for (const path of ['?limit=2', '?sort=-1', '/count']) {
      expect((await confirm(organizationId, path, tag)).status, path).toBe(200);
    }
    for (const path of ['?sort=5', '/nothing', '?where={']) {
      const refused = await confirm(organizationId, path, tag);
      expect(refused.headers.get('etag'), path).toBeNull();
      expect(refused.headers.get('cache-control')).toBe('private, no-cache');
      expect(refused.headers.get('vary')).toBe('x-organization-id');
    }
    const queried = await send(server, { organizationId }, 'POST /public/events/query', {});
    expect(queried.headers.get('cache-control')).toBe('public, max-age=30');
  });

  /** Whether the list, and the event itself, have another tag after something happened. */
  async function changes(
    input: Omit<PublicEventInput, 'organizationId'>,
    happen: (world: Happening) => Promise<unknown>,
  ) {
    const world = await publicPlace(server);
    const event = await world.event(input);
    await world.event({ name: 'Another' });
    const tags = async () => [
      (await world.get('')).headers.get('etag'),
      (await world.get(`/${event.id}`)).headers.get('etag'),
    ];
    const before = await tags();
    await happen({ ...world, id: event.id });
    const after = await tags();
    return before[0] !== after[0] && (after[1] === null || before[1] !== after[1]);
  }
  type Happening = Awaited<ReturnType<typeof publicPlace>> & { id: string };
  const patch = (body: object) => (world: Happening) =>
    send(server, world.team.manager, `PATCH /events/${world.id}`, body);
  const subscribe = ({ team, id }: Happening) => send(server, team.member, `POST /events/${id}/subscriptions`, {});
  const questions = [{ key: 'a', type: 'text', label: 'A' }];

  it.each<[string, Omit<PublicEventInput, 'organizationId'>, (world: Happening) => Promise<unknown>]>([
    ['its name changes', {}, patch({ name: 'Other' })],
    ['its slug changes', {}, patch({ slug: 'other' })],
    ['its description changes', {}, patch({ description: 'Other' })],
    ['it is cancelled', {}, patch({ status: 2 })],
    ['it is archived', {}, patch({ status: 3 })],
    ['it is for the organization only', {}, patch({ visibility: 'organization' })],
    ['it becomes public', { visibility: 'organization' }, patch({ visibility: 'public' })],
    ['it is published', { status: 0 }, patch({ status: 1 })],
    ['its registration closes', {}, patch({ registration: 'closed' })],
    ['its waiting list goes', { capacity: 0 }, patch({ waiting_list: false })],
    ['it has more places', { capacity: 1, accepted: 1 }, patch({ capacity: 2 })],
    ['somebody takes the last place', { capacity: 1 }, subscribe],
    [
      'a place is free again',
      { capacity: 1, accepted: 1 },
      ({ id }) => server.execute("update subscription set status = 'cancelled' where event_id = ?", [id]),
    ],
    ['its form changes', {}, ({ team, id }) => send(server, team.manager, `PUT /events/${id}/form`, { questions })],
    ['another event is made', {}, ({ event }) => event()],
    ['an event is deleted that was public', {}, ({ id }) => server.execute('delete from event where id = ?', [id])],
    [
      'it is moved to another organization',
      {},
      async ({ id }) => {
        const other = await insertOrganization(server.orm);
        return server.execute('update event set organization_id = ? where id = ?', [other.id, id]);
      },
    ],
  ])('hear of it when %s', async (_, input, happen) => {
    expect(await changes(input, happen)).toBe(true);
  });

  it.each<[string, Omit<PublicEventInput, 'organizationId'>, (world: Happening) => Promise<unknown>]>([
    ['somebody takes one of several places', { capacity: 2 }, subscribe],
    ['somebody waits behind others', { capacity: 1, accepted: 1, waiting: 1 }, subscribe],
    [
      'a draft is made and changed',
      {},
      async ({ team, event }) => {
        const { id } = await event({ status: 0 });
        return send(server, team.manager, `PATCH /events/${id}`, { name: 'Draft' });
      },
    ],
    [
      'an event of the organization only changes',
      {},
      async ({ team, event }) => {
        const { id } = await event({ visibility: 'organization' });
        return send(server, team.manager, `PATCH /events/${id}`, { name: 'Inside' });
      },
    ],
  ])('need not hear of it when %s', async (_, input, happen) => {
    expect(await changes(input, happen)).toBe(false);
  });

  it('are refreshed when an event ends, although nothing is written', async () => {
    const { event, get, organizationId } = await publicPlace(server);
    const { id } = await event({ dateStart: inDays(-1), dateEnd: new Date(Date.now() + 2000) });
    const open = await get(`/${id}`);
    expect(open.body.availability).toBe('open');
    const tag = open.headers.get('etag') as string;
    await expect
      .poll(async () => (await confirm(organizationId, `/${id}`, tag)).status, { timeout: 10_000, interval: 100 })
      .toBe(200);
    expect((await get(`/${id}`)).body.availability).toBe('closed');
  });

  it('never confirm what a change under way is about to replace', async () => {
    const { event, get, organizationId } = await publicPlace(server);
    const { id } = await event();
    const em = await holding(server, "update event set name = 'Changed', updated_at = now() where id = ?", [id]);
    const before = await get(`/${id}`);
    expect(before.body.name).toBe('An event');
    await em.commit();
    const tag = before.headers.get('etag') as string;
    const after = await confirm(organizationId, `/${id}`, tag);
    expect([after.status, after.body.name]).toEqual([200, 'Changed']);
  });
});
