import { describe, expect, it, vi } from 'vitest';
import { type Change, changesPage, type OpenStream, openStream, readerFrom } from '../support/changes.ts';
import { loseChanges } from '../support/log-change.ts';
import { expectCode, send } from '../support/send.ts';
import { createTeam, join, type Person, serveInTest, serveTeam, startTestServer } from '../support/server.ts';
import { subscribing } from '../support/subscribing.ts';

const { server, team } = await serveTeam({ env: { STREAMS: '30' } });
const { event, subscribe, move, ask } = subscribing(server, team);

const changesOf = ({ events }: OpenStream) =>
  events.filter((each) => each.event === 'change').map(({ data }) => data as unknown as Change);
const isCaughtUp = ({ event: name }: { event: string }) => name === 'caught-up';
const isAbout = (id: string) => (each: { data: Record<string, unknown> }) => each.data.object_id === id;

describe('GET /changes as a stream', () => {
  it('sends what has been, says when it is caught up, and sends what comes, as the feed has it', async () => {
    const reader = await readerFrom(server, team.manager);
    const { token } = reader;
    const first = await event();
    const stream = await openStream(server, team.manager, `token=${token}`);
    expect(stream.response.status).toBe(200);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      ...{ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    });
    const page = await changesPage(server, team.manager, `token=${token}`);
    for (const { headers } of [stream.response, page]) expect(headers.get('vary')).toMatch(/\baccept\b/i);
    const caughtUp = await stream.until(isCaughtUp);
    expect(caughtUp).toMatchObject({ id: expect.any(String), data: {} });
    expect(changesOf(stream).map(({ object_id }) => object_id)).toEqual([first.id]);
    const second = await event({ capacity: 1 });
    const { body: place } = await subscribe(team.member, second);
    const { body: waits } = await subscribe(team.owner, second);
    await move(team.member, place, { status: 'cancelled' });
    await stream.until(({ data }) => data.object_id === waits.id && data.op === 'changed');
    expect(changesOf(stream)).toEqual(await reader.rest());
  });

  it.each([
    ['text/event-stream', 'text/event-stream; charset=utf-8'],
    ['text/event-stream; charset=utf-8', 'text/event-stream; charset=utf-8'],
    ['Text/Event-Stream;Q=0.5, */*;q=0.4', 'text/event-stream; charset=utf-8'],
    ['text/*', 'text/event-stream; charset=utf-8'],
    ['text/event-stream, application/json', 'text/event-stream; charset=utf-8'],
    ['text/event-stream, */*', 'text/event-stream; charset=utf-8'],
    ['text/event-stream; charset=utf-8, application/json;q=0.9', 'text/event-stream; charset=utf-8'],
    ['*/*;q=0.1, text/event-stream;q=0.5', 'text/event-stream; charset=utf-8'],
    ['application/json, text/event-stream;q=0.5', 'application/json; charset=utf-8'],
    ['application/json, text/event-stream', 'application/json; charset=utf-8'],
    ['application/json; charset=utf-8, text/event-stream; charset=utf-8;q=0.5', 'application/json; charset=utf-8'],
    ['text/event-stream;q=0', 'application/json; charset=utf-8'],
    ['text/event-stream;q=0;charset=utf-8, text/*', 'application/json; charset=utf-8'],
    ['text/html', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
  ])('answers `Accept: %s` by %s', async (accept, type) => {
    const { response } = await openStream(server, team.manager, 'since=now', { accept });
    expect(response.headers.get('content-type')).toBe(type);
  });

  it('is the only reader of `Last-Event-ID`: a page begins where its parameters say', async () => {
    const { token } = await readerFrom(server, team.manager);
    const { id } = await event();
    const { body: end } = await changesPage(server, team.manager, 'since=now');
    const page = async (query: string, id = end.next) =>
      (await send(server, team.manager, `GET /changes?${query}`, undefined, { 'last-event-id': id })).body;
    expect(await page(`token=${token}`)).toMatchObject({ items: [{ object_id: id }] });
    expect(await page('since=start&limit=1')).toMatchObject({ length: 1 });
    expect(await page(`token=${token}`, 'not a cursor')).toMatchObject({ items: [{ object_id: id }] });
    const stream = await openStream(server, team.manager, `token=${token}`, { 'last-event-id': end.next });
    await stream.until(isCaughtUp);
    expect(changesOf(stream)).toEqual([]);
  });

  it('takes the other parameters of a page, whatever their values, and they have no effect', async () => {
    const { token } = await readerFrom(server, team.manager);
    const { id } = await event();
    const stream = await openStream(server, team.manager, `token=${token}&limit=none&wait=99&include=user`);
    await stream.until(isCaughtUp);
    expect(changesOf(stream)).toMatchObject([{ object_id: id }]);
    expect(changesOf(stream)[0]).not.toHaveProperty('object');
  });

  it('gives each event the cursor to go on from, on both sides of the present', async () => {
    const { token } = await readerFrom(server, team.manager);
    const made = [await event(), await event(), await event()];
    const stream = await openStream(server, team.manager, `token=${token}`);
    await stream.until(isCaughtUp);
    made.push(await event(), await event());
    await stream.until(isAbout(made[4]?.id ?? ''));
    const ids = made.map(({ id }) => id);
    for (const [index, { id }] of stream.events.filter((each) => each.event === 'change').entries()) {
      const { body } = await changesPage(server, team.manager, `token=${id}`);
      expect(body.items.map(({ object_id }) => object_id)).toEqual(ids.slice(index + 1));
      const again = await openStream(server, team.manager, 'since=now', { 'last-event-id': id ?? '' });
      await again.until(isCaughtUp);
      expect(changesOf(again)).toEqual(body.items);
    }
  });

  it('shows each viewer what they see, of the kinds that they chose', async () => {
    const [all, own, forms] = await Promise.all([
      openStream(server, team.manager, 'since=now'),
      openStream(server, team.member, 'since=now'),
      openStream(server, team.manager, 'since=now&kinds=form'),
    ]);
    await Promise.all([all, own, forms].map((each) => each.until(isCaughtUp)));
    const draft = await event({ status: 0 });
    await ask(draft);
    await send(server, team.manager, `PATCH /events/${draft.id}`, { status: 1 });
    const { body: theirs } = await subscribe(team.owner, draft);
    const { body: mine } = await subscribe(team.member, draft);
    await all.until(isAbout(mine.id));
    const last = ({ id }: { id: string | null }) => own.events.at(-1)?.id === id && own.events.length > 4;
    await own.until(last);
    const seen = (stream: OpenStream) => changesOf(stream).map(({ kind, op, object_id }) => [kind, op, object_id]);
    expect(seen(own)).toEqual([
      ['event', 'created', draft.id],
      ['event', 'changed', draft.id],
      ['subscription', 'created', mine.id],
      ['event', 'changed', draft.id],
    ]);
    expect(seen(forms)).toEqual([['form', 'created', draft.id]]);
    expect(seen(all).map(([, op, id]) => [op, id])).toContainEqual(['created', theirs.id]);
  });

  it('refuses before it begins, as the feed does', async () => {
    const refusals = [
      ['since=never', 400, 'INVALID_QUERY'],
      ['token=x', 400, 'INVALID_CURSOR'],
      ['where={}', 400, 'INVALID_QUERY'],
    ] as const;
    const asStream = { accept: 'text/event-stream' };
    for (const [query, status, code] of refusals) {
      const refused = await send(server, team.manager, `GET /changes?${query}`, undefined, asStream);
      expectCode(refused, status, code);
    }
    const { body } = await changesPage(server, team.manager, 'since=now');
    expect((await openStream(server, team.member, `token=${body.next}`)).response.status).toBe(410);
    expect((await openStream(server, team.member, '', { 'last-event-id': 'x' })).response.status).toBe(400);
    expect((await openStream(server, { accessToken: 'x' })).response.status).toBe(401);
  });

  it('ends when the session, the membership or the role ends, and coming back says why', async () => {
    const people = await Promise.all([1, 2, 3].map(() => join(server, team.organizationId, 'member')));
    const [signedOut, removed, promoted] = people as [Person, Person, Person];
    const streams = await Promise.all(people.map((each) => openStream(server, each, 'since=now')));
    const cursors = await Promise.all(streams.map(async (each) => (await each.until(isCaughtUp)).id));
    await send(server, signedOut, 'POST /auth/logout', {});
    await send(server, team.owner, `DELETE /members/${removed.membershipId}`);
    await send(server, team.owner, `PATCH /members/${promoted.membershipId}`, { role: 'manager' });
    await Promise.all(streams.map(({ closed }) => closed));
    const ends = streams.map(({ events }) => [events.at(-1)?.event, events.at(-1)?.data.code]);
    expect(ends).toEqual([
      ['error', 'INVALID_TOKEN'],
      ['error', 'ORGANIZATION_FORBIDDEN'],
      ['error', 'CURSOR_EXPIRED'],
    ]);
    const back = await Promise.all(
      people.map((each, index) => openStream(server, each, '', { 'last-event-id': cursors[index] ?? '' })),
    );
    expect(back.map(({ response }) => response.status)).toEqual([401, 403, 410]);
  });

  it('ends with the problem where the log has lost a change, and new streams begin anew', async () => {
    const organization = await createTeam(server);
    const { event: make } = subscribing(server, organization);
    const streams = await Promise.all(
      [organization.manager, organization.member].map((person) => openStream(server, person, 'since=now')),
    );
    await Promise.all(streams.map((each) => each.until(isCaughtUp)));
    const lost = await make();
    for (const each of streams) await each.until(isAbout(lost.id));
    await loseChanges(server, lost.id);
    await make();
    await Promise.all(streams.map(({ closed }) => closed));
    for (const { events } of streams) {
      expect(events.at(-1)).toEqual({
        ...{ event: 'error', id: null },
        data: expect.objectContaining({ status: 410, code: 'CURSOR_EXPIRED', request_id: expect.any(String) }),
      });
    }
    const again = await openStream(server, organization.manager, 'since=now');
    await again.until(isCaughtUp);
    const next = await make();
    await again.until(isAbout(next.id));
  });

  it('has a bound for the process', async () => {
    const streams = await Promise.all(Array.from({ length: 34 }, () => openStream(server, team.manager, 'since=now')));
    const statuses = streams.map(({ response }) => response.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    const refused = streams.find(({ response }) => response.status === 503);
    expect(refused?.response.headers.get('retry-after')).toBe('10');
    for (const each of streams) each.close();
    await expect.poll(async () => (await openStream(server, team.manager, 'since=now')).response.status).toBe(200);
  });
});

describe('streams', () => {
  it('are limited for users and organizations', async () => {
    const limited = await serveInTest({ env: { RATE_LIMIT: 'on', STREAMS_PER_ORGANIZATION: '7' } });
    const people = await createTeam(limited);
    const open = (person: Person) => openStream(limited, person, 'since=now');
    const streams = await Promise.all(Array.from({ length: 6 }, () => open(people.manager)));
    expect(streams.map(({ response }) => response.status).toSorted()).toEqual([200, 200, 200, 200, 200, 429]);
    const others = await Promise.all(Array.from({ length: 3 }, () => open(people.member)));
    expect(others.map(({ response }) => response.status).toSorted()).toEqual([200, 200, 429]);
  });

  it('and requests that wait end when the service stops', async () => {
    const stopping = await startTestServer();
    const people = await createTeam(stopping);
    const stream = await openStream(stopping, people.manager, 'since=now');
    const { id } = await stream.until(isCaughtUp);
    const watched = vi.spyOn(stopping.services.changes, 'watch');
    const waiting = changesPage(stopping, people.manager, `token=${id}&wait=30`);
    await expect.poll(() => watched.mock.calls.length).toBe(1);
    const began = Date.now();
    await Promise.all([stopping.close(), stream.closed]);
    expect((await waiting).body).toMatchObject({ items: [], has_more: false });
    expect(Date.now() - began).toBeLessThan(10_000);
  });
});
