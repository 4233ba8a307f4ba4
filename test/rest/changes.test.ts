import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import { changesPage, readerFrom, told } from '../support/changes.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { createTeam, join, serveTeam } from '../support/server.ts';
import { subscribing } from '../support/subscribing.ts';

const { server, team } = await serveTeam();
const { event, subscribe, move, ask } = subscribing(server, team);

const draftFields = { status: 0 };

describe('GET /changes', () => {
  it('tells a manager of every change of an event, with its version and who did it', async () => {
    const reader = await readerFrom(server, team.manager);
    const made = await event(draftFields);
    const { id } = made;
    await send(server, team.owner, `PATCH /events/${id}`, { name: 'Renamed' });
    await send(server, team.owner, `PATCH /events/${id}`, { name: 'Renamed' });
    await send(server, team.manager, `DELETE /events/${id}`);
    const common = { kind: 'event', object_id: id, event_id: id };
    expect((await reader.rest()).map(told)).toEqual([
      { ...common, op: 'created', version: 1, actor_id: team.manager.userId },
      { ...common, op: 'changed', version: 2, actor_id: team.owner.userId },
      { ...common, op: 'deleted', version: null, actor_id: team.manager.userId },
    ]);
    expect(await reader.rest()).toEqual([]);
  });

  it('tells a member nothing of drafts; what is published is created, what becomes a draft is hidden', async () => {
    const reader = await readerFrom(server, team.member);
    const { id } = await event(draftFields);
    await ask({ id });
    expect(await reader.rest()).toEqual([]);
    await send(server, team.manager, `PATCH /events/${id}`, { status: 1 });
    await send(server, team.manager, `PATCH /events/${id}`, { status: 0 });
    await send(server, team.manager, `PATCH /events/${id}`, { name: 'Unseen' });
    await send(server, team.manager, `DELETE /events/${id}`);
    const common = { kind: 'event', object_id: id, event_id: id, actor_id: team.manager.userId };
    expect((await reader.rest()).map(told)).toEqual([
      { ...common, op: 'created', version: 2 },
      { ...common, op: 'hidden', version: null },
    ]);
  });

  it('tells of subscriptions, and of the event whose number of accepted ones they change', async () => {
    const to = await event({ capacity: 1 });
    const reader = await readerFrom(server, team.manager);
    const own = await readerFrom(server, team.member);
    const { body: first } = await subscribe(team.member, to);
    const { body: second } = await subscribe(team.owner, to);
    await move(team.member, first, { status: 'cancelled' });
    const counted = { kind: 'event', op: 'changed', object_id: to.id, event_id: to.id, version: 1, actor_id: null };
    const of = (row: { id: string }, op: string, actor_id: string | null) => ({
      ...{ kind: 'subscription', op, object_id: row.id, event_id: to.id, version: null, actor_id },
    });
    const items = (await reader.rest()).map(told);
    expect(items).toEqual([
      of(first, 'created', team.member.userId),
      counted,
      of(second, 'created', team.owner.userId),
      // one leaves and one moves up: the number stays
      of(first, 'changed', team.member.userId),
      of(second, 'changed', null),
    ]);
    expect((await own.rest()).map(told)).toEqual([items[0], counted, items[3]]);
  });

  it('tells of answers, check-ins and forms', async () => {
    const to = await event();
    const reader = await readerFrom(server, team.manager);
    for (const key of ['a', 'b', 'b']) await ask(to, key);
    const { body: row } = await subscribe(team.member, to);
    await move(team.member, row, { answers: { b: 'One' } });
    await move(team.member, row, { answers: { b: 'One' } });
    await send(server, team.manager, `POST /events/${to.id}/subscriptions/${row.id}/check-in`);
    await send(server, team.manager, `DELETE /events/${to.id}/subscriptions/${row.id}/check-in`);
    await send(server, team.manager, `DELETE /events/${to.id}/subscriptions/${row.id}/check-in`);
    const copy = await send<EventRow>(server, team.manager, `POST /events/${to.id}/duplicate`);
    expect((await reader.rest()).map(({ kind, op, object_id, version }) => [kind, op, object_id, version])).toEqual([
      ['form', 'created', to.id, 1],
      ['form', 'changed', to.id, 2],
      ['subscription', 'created', row.id, null],
      ['event', 'changed', to.id, 1],
      ['subscription', 'changed', row.id, null],
      ['subscription', 'changed', row.id, null],
      ['subscription', 'changed', row.id, null],
      ['event', 'created', copy.body.id, 1],
      ['form', 'created', copy.body.id, 1],
    ]);
  });

  it('goes on from page to page, one change at a time or many, for the chosen kinds', async () => {
    const begin = await readerFrom(server, team.manager);
    const forms = await readerFrom(server, team.manager, { kinds: 'form' });
    const { token } = begin;
    const made = [await event(), await event(), await event()];
    for (const each of made) await ask(each);
    let next = token;
    const seen: unknown[] = [];
    const more: boolean[] = [];
    for (let page = 0; page < 6; page += 1) {
      const { body } = await changesPage(server, team.manager, `token=${next}&limit=1`);
      seen.push(...body.items.map(({ object_id }) => object_id));
      more.push(body.has_more);
      ({ next } = body);
    }
    expect(seen).toEqual([...made, ...made].map(({ id }) => id));
    expect(more).toEqual([true, true, true, true, true, false]);
    expect((await forms.rest()).map(({ object_id }) => object_id)).toEqual(made.map(({ id }) => id));
  });

  it('refuses parameters of lists, and values that are none', async () => {
    const { body } = await changesPage(server, team.manager, 'since=now');
    const refusals = [
      ['where={}', '/where'],
      ['sort=1', '/sort'],
      ['fields=id', '/fields'],
      ['include=event', '/include'],
      ['since=yesterday', '/since'],
      [`since=now&token=${body.next}`, '/since'],
      ['kinds=event%20user', '/kinds'],
      ['kinds=', '/kinds'],
      ['kinds=+', '/kinds'],
      ['wait=31', '/wait'],
      ['wait=-1', '/wait'],
      ['wait=1.5', '/wait'],
      ['wait=', '/wait'],
      ['after=x', '/after'],
    ] as const;
    for (const [query, pointer] of refusals) {
      const answer = await changesPage(server, team.manager, query);
      expectCode(answer, 400, 'INVALID_QUERY');
      expect(pointersOf(answer), query).toEqual([pointer]);
    }
    expectCode(await changesPage(server, team.manager, 'token='), 400, 'INVALID_CURSOR');
    expectCode(await send(server, team.manager, 'GET /changes/count'), 404, 'NOT_FOUND');
  });

  it('takes the same parameters in a body', async () => {
    const query = (body: unknown) => send(server, team.manager, 'POST /changes/query', body);
    const now = await query({ since: 'now' });
    expect(now.body).toEqual({ items: [], length: 0, has_more: false, next: expect.any(String), prev: null });
    const made = await event();
    const { next } = now.body as { next: string };
    expect((await query({ token: next, limit: 1, wait: 0 })).body).toMatchObject({
      ...{ items: [{ object_id: made.id }], prev: null },
    });
    expectCode(await query({ where: {} }), 400, 'VALIDATION_ERROR');
    for (const wait of ['1', { toString: 1 }]) expectCode(await query({ wait }), 400, 'INVALID_QUERY');
    expectCode(await query({ kinds: '' }), 400, 'INVALID_QUERY');
    expectCode(await query({ after: next }), 400, 'VALIDATION_ERROR');
    expectCode(await query({ token: next, kinds: 'event' }), 400, 'INVALID_CURSOR');
  });

  it('refuses cursors of other kinds, organizations and lists, and forged ones', async () => {
    const { body } = await changesPage(server, team.manager, 'since=now');
    const elsewhere = await createTeam(server);
    const list = await send<{ next: string }>(server, team.manager, 'GET /events?limit=1');
    const forged = `${body.next.slice(0, -3)}${body.next.endsWith('AAA') ? 'BBB' : 'AAA'}`;
    const detail =
      'The cursor was changed, belongs to another organization or other `kinds`, or was sealed with a secret that is no longer in use. Take a new one with `since=now`, then read the lists again.';
    for (const query of [`token=${body.next}&kinds=event`, `token=${forged}`, `token=${list.body.next}`, 'token=x']) {
      const answer = await changesPage(server, team.manager, query);
      expectCode(answer, 400, 'INVALID_CURSOR');
      expect(answer.body).toMatchObject({ errors: [{ pointer: '/token', detail }] });
    }
    expectCode(await changesPage(server, elsewhere.manager, `token=${body.next}`), 400, 'INVALID_CURSOR');
    expectCode(await send(server, team.manager, `GET /events?token=${body.next}`), 400, 'INVALID_CURSOR');
  });

  it('ends a cursor when the viewer sees something else', async () => {
    const { body } = await changesPage(server, team.manager, 'since=now');
    expect((await changesPage(server, team.owner, `token=${body.next}`)).status).toBe(200);
    const refused = await changesPage(server, team.member, `token=${body.next}`);
    expectCode(refused, 410, 'CURSOR_EXPIRED');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.text).toContain('since=now');
    const other = await join(server, team.organizationId, 'member');
    const own = await changesPage(server, team.member, 'since=now');
    expectCode(await changesPage(server, other, `token=${own.body.next}`), 410, 'CURSOR_EXPIRED');
  });

  it('holds back an empty page until something visible comes', async () => {
    const reader = await readerFrom(server, team.member);
    const waiting = changesPage(server, team.member, `token=${reader.token}&wait=20`);
    const began = Date.now();
    await event(draftFields);
    const made = await event();
    const { body } = await waiting;
    expect(body.items.map(({ object_id }) => object_id)).toEqual([made.id]);
    expect(Date.now() - began).toBeLessThan(10_000);
    const empty = await changesPage(server, team.member, `token=${body.next}&wait=1`);
    expect(empty.body.items).toEqual([]);
  });
});
