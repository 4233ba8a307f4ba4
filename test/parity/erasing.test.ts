import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readerFrom } from '../support/changes.ts';
import { createPerson, look, ways } from '../support/erasing.ts';
import { insertMembership, password } from '../support/fixtures.ts';
import { countMails, mailedToken, mailsTo, settleMails } from '../support/guests.ts';
import { insertPublicEvent, runOut } from '../support/public-world.ts';
import { graphql, type Page, query, send, trailOf } from '../support/send.ts';
import { createTeam, isAccepted, join, post, refreshWith, serve, signIn } from '../support/server.ts';
import { tablesWith } from '../support/traces.ts';
import { future } from '../support/write-faces.ts';

// Everything that goes, and everything that stays, when a person erases their account (reference/leaving.md).

const server = await serve({ env: { RATE_LIMIT: 'off' } });

describe.each(ways)('$name', ({ erase }) => {
  it('leaves no trace of name, address and answers, and ends all access', async () => {
    const { team, person, name, secret, createEvent, subscribe } = await createPerson(server);
    const [coming, past] = [await createEvent(), await createEvent()];
    const rows = [await subscribe(coming), await subscribe(past)] as const;
    await runOut(server, past);
    const second = await signIn(server.url, person.email);
    await send(server, person, 'POST /auth/calendar');
    await send(server, person, 'PATCH /auth/me', { name });
    await post(`${server.url}/auth/login`, { email: person.email, password: 'wrong password' });
    await post(`${server.url}/auth/reset-password-request`, { email: person.email });
    await send(server, team.owner, 'POST /invitations', { email: person.email.toUpperCase(), role: 'manager' });
    const elsewhere = await createTeam(server);
    await send(server, elsewhere.owner, 'POST /invitations', { email: person.email, role: 'member' });
    const guestly = await insertPublicEvent(server, { organizationId: elsewhere.organizationId });
    await send(server, elsewhere.owner, `POST /public/events/${guestly.id}/subscriptions`, {
      name,
      email: person.email,
    });
    await settleMails(server);
    const before = await countMails(server, person.email);
    const traces = await tablesWith(server, [name, person.email, secret]);
    expect(new Set(traces.map((each) => each.split(':')[0]))).toEqual(
      new Set(['"user"', 'subscription', 'audit_entry', 'invitation', 'guest_request']),
    );

    expect(await erase(server, person, { password })).toMatchObject({ status: 200, code: null });
    const [confirmation] = (await mailsTo(server, person.email, before + 1)).slice(-1);
    expect(confirmation?.subject).toBe('Your data has been erased');
    expect(confirmation?.text).not.toContain('Zoe');
    await settleMails(server);
    expect(await countMails(server, person.email)).toBe(before + 1);

    await expect.poll(() => tablesWith(server, [name, person.email, secret])).toEqual([]);
    expect(await isAccepted(server.url, person.accessToken)).toBe(false);
    expect(await isAccepted(server.url, second.accessToken)).toBe(false);
    expect((await refreshWith(server.url, second.cookie)).status).toBe(401);
    expect((await post(`${server.url}/auth/login`, { email: person.email, password })).status).toBe(400);
    // what organizers keep
    const kept = await look(server, team.manager, past, rows[1].id);
    expect(kept.body).toMatchObject({ status: 'accepted', answers: null, form_version: null, user_id: person.userId });
    expect(kept.body.user).toEqual({ id: person.userId, name: 'Deleted user', avatar_url: null, email: null });
    expect((await look(server, team.manager, coming, rows[0].id)).body).toMatchObject({
      status: 'cancelled',
      answers: null,
    });
    const history = `GET /events/${coming}/subscriptions/${rows[0].id}/changes`;
    const changes = await send<Page>(server, team.manager, history);
    expect(changes.body.items.map(({ actor_id, status_to }) => [actor_id, status_to])).toEqual([
      [person.userId, 'accepted'],
      [person.userId, 'cancelled'],
    ]);
    const audit = await trailOf(server, team.owner, { actor_id: person.userId });
    expect(audit.at(-1)).toMatchObject({ action: 'user.erased', subject_id: person.userId, detail: null });
    for (const entry of audit) expect([entry.ip, entry.user_agent]).toEqual([null, null]);
    expect(audit.map(({ action }) => action)).toContain('session.started');
    const members = await send<Page>(server, team.manager, 'GET /members');
    expect(members.body.items.map((each) => each.user_id)).not.toContain(person.userId);
  });

  it('moves the waiting lists, and tells readers of the log', async () => {
    const { team, person, createEvent, subscribe } = await createPerson(server);
    const event = await createEvent({ capacity: 1 });
    const place = await subscribe(event);
    const waiting = await join(server, team.organizationId, 'member');
    const next = await subscribe(event, waiting, null);
    expect(next.status).toBe('waitlisted');
    const reader = await readerFrom(server, team.manager);
    expect((await erase(server, person, { password })).code).toBeNull();
    expect((await look(server, team.manager, event, next.id)).body.status).toBe('accepted');
    expect((await mailsTo(server, waiting.email, 2))[1]?.subject).toContain('You have a place');
    const changes = await reader.rest();
    const moved = changes
      .filter(({ kind }) => kind === 'subscription')
      .map(({ object_id, op }) => `${object_id} ${op}`);
    expect(moved.sort()).toEqual([`${place.id} changed`, `${next.id} changed`].sort());
  });

  it('tells readers that erased answers are a change', async () => {
    const { team, person, createEvent, subscribe } = await createPerson(server);
    const event = await createEvent();
    const place = await subscribe(event);
    await runOut(server, event);
    const reader = await readerFrom(server, team.manager);
    await erase(server, person, { password });
    expect((await reader.rest()).map(({ object_id, op, actor_id }) => [object_id, op, actor_id])).toEqual([
      [place.id, 'changed', person.userId],
    ]);
  });

  it('lets the address sign up anew, which gets nothing of before', async () => {
    const { team, person, createEvent, subscribe } = await createPerson(server);
    await subscribe(await createEvent());
    const invited = await createTeam(server);
    await send(server, invited.owner, 'POST /invitations', { email: person.email, role: 'owner' });
    await settleMails(server);
    const before = await countMails(server, person.email);
    await erase(server, person, { password });
    await mailsTo(server, person.email, before + 1);
    const again = 'another phrase of theirs';
    const headers = { 'x-organization-id': team.organizationId };
    await post(`${server.url}/auth/signup`, { email: person.email, password: again, name: 'Zoe again' }, headers);
    const token = await mailedToken(server, person.email, before + 2);
    expect((await post(`${server.url}/auth/verify-email`, { token })).status).toBe(200);
    const { accessToken } = await signIn(server.url, person.email, again);
    const me = await send<{ id: string; organizations: { id: string }[] }>(server, { accessToken }, 'GET /auth/me');
    expect(me.body.id).not.toBe(person.userId);
    expect(me.body.organizations.map(({ id }) => id)).toEqual([team.organizationId]);
    const caller = { accessToken, organizationId: team.organizationId };
    expect(await query(server, caller, '{ events { nodes { viewerSubscription { id } } } }')).toEqual({
      events: { nodes: [{ viewerSubscription: null }] },
    });
    const sessions = await send<{ length: number }>(server, { accessToken }, 'GET /auth/sessions');
    expect(sessions.body.length).toBe(1);
  });

  it('shows the entry to the owners of each organization of a person in several', async () => {
    const { team, person } = await createPerson(server);
    const other = await createTeam(server);
    await insertMembership(server.orm, { organizationId: other.organizationId, userId: person.userId });
    await erase(server, person, { password });
    for (const { owner } of [team, other]) {
      const erasures = await trailOf(server, owner, { action: 'user.erased' });
      const about = { actor_id: person.userId, subject_id: person.userId, ip: null, request_id: expect.any(String) };
      expect(erasures).toMatchObject([about]);
      expect(await trailOf(server, owner, { request_id: erasures[0]?.request_id })).toEqual(erasures);
    }
  });

  it('discards stored responses with the subscriptions of the person, theirs and those of managers', async () => {
    const { team, person, name, secret, createEvent, subscribe } = await createPerson(server);
    const [first, second] = [await createEvent(), await createEvent()];
    const key = { 'idempotency-key': 'one' };
    const body = { answers: { badge: secret } };
    expect((await send(server, person, `POST /events/${first}/subscriptions`, body, key)).status).toBe(201);
    const row = await subscribe(second);
    const path = `PATCH /events/${second}/subscriptions/${row.id}`;
    expect((await send(server, team.manager, path, { status: 'pending' }, key)).text).toContain(secret);
    const keep = () =>
      send(server, team.manager, 'POST /events', { name: 'Kept', ...future }, { 'idempotency-key': 'two' });
    const unrelated = await keep();
    // GraphQL may select the subscriptions of others beside what it writes
    for (const selection of ['nodes { answers }', 'edges { node { status user { name } } }']) {
      const document = `mutation { updateEvent(input: { id: "${second}", description: "${randomUUIDv7()}" }) {
        event { subscriptions { ${selection} } } } }`;
      const answer = await graphql(server, team.manager, document, undefined, { 'idempotency-key': randomUUIDv7() });
      expect(answer.errors, answer.text).toBeUndefined();
    }
    expect((await tablesWith(server, [secret])).join()).toContain('idempotency_key');
    await erase(server, person, { password });
    await expect.poll(() => tablesWith(server, [secret, name])).toEqual([]);
    const again = await send(server, team.manager, path, { status: 'pending' }, key);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect(again.text).not.toContain(secret);
    expect((await keep()).text).toBe(unrelated.text);
  });
});
