import { describe, expect, it } from 'vitest';
import { subscriptionColumns } from '../../src/domain/subscription/subscription.resource.ts';
import { serveParityData } from '../parity/data.ts';
import { headersOf, restGet } from '../support/faces.ts';
import { expectCode } from '../support/send.ts';
import { expectProblem } from '../support/sign-in.ts';
import { pathOf, subscribing } from '../support/subscribing.ts';
import { createTeam } from '../support/team.ts';

const data = await serveParityData();

const get = (path: string) => fetch(`${data.server.url}${path}`, { headers: headersOf(data.askers.manager) });

describe('the subscriptions of an event', () => {
  const path = () => `/events/${data.eventId}/subscriptions`;
  const items = async (search: string) =>
    ((await (await get(`${path()}?${search}`)).json()) as { items: Record<string, unknown>[] }).items;

  it('have every field of theirs and nothing else', async () => {
    const [item] = await items('limit=1');
    expect(Object.keys(item ?? {})).toEqual(subscriptionColumns);
  });

  it('include the user, with the address only for managers', async () => {
    const [item] = await items('limit=1&include=user&fields=id');
    expect(Object.keys(item ?? {})).toEqual(['id', 'user']);
    expect(Object.keys(item?.user as object)).toEqual(['id', 'name', 'avatar_url', 'email']);
    const { body } = await restGet(data.askers.member, path(), { include: 'user', limit: 1 });
    const [own] = (body as { items: Record<string, object>[] }).items;
    expect(Object.keys(own?.user as object)).toEqual(['id', 'name', 'avatar_url']);
  });

  it('include the event as it reads by itself', async () => {
    const [item] = await items('limit=1&include=event');
    expect(item?.event).toEqual(await (await get(`/events/${data.eventId}`)).json());
  });

  it('are found one by one, only under their own event', async () => {
    const { id } = data.subscriptions[0] as { id: string };
    expect(await (await get(`${path()}/${id}?fields=id&include=user`)).json()).toEqual({
      id,
      user: expect.objectContaining({ name: expect.any(String) }),
    });
    const other = data.events.find((row) => row.id !== data.eventId && row.status === 1)?.id;
    await expectProblem(await get(`/events/${other}/subscriptions/${id}`), 404, 'NOT_FOUND');
    await expectProblem(await get(`${path()}/no-id`), 404, 'NOT_FOUND');
  });

  it('refuse unknown relations and fields', async () => {
    const problem = await expectProblem(await get(`${path()}?include=usr`), 400, 'INVALID_QUERY');
    expect(problem.detail).toContain('`user`');
    await expectProblem(await get(`${path()}?where={"event_id":"${data.eventId}"}`), 400, 'INVALID_QUERY');
  });

  it('are made with their path, and moved under their own event alone', async () => {
    const { server } = data;
    const team = await createTeam(server);
    const { event, subscribe, move, read, history } = subscribing(server, team);
    const [to, another] = [await event({ capacity: 2 }), await event()];
    const made = await subscribe(team.member, to);
    expect([made.status, made.headers.get('location')]).toEqual([201, pathOf(made.body)]);
    expect(made.body).toMatchObject({
      ...{ event_id: to.id, user_id: team.member.userId, status: 'accepted', answers: null },
      ...{ form_version: null, waiting_since: null, checked_in_at: null },
    });
    expect(await read(made.body)).toEqual(made.body);
    expect(await history(made.body)).toEqual([['status', null, 'accepted', team.member.userId]]);
    const moved = await move(team.manager, { ...made.body, event_id: another.id }, { status: 'cancelled' });
    expectCode(moved, 404, 'NOT_FOUND');
  });
});
