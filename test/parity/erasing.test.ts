import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readerFrom } from '../support/changes.ts';
import { insertMember, insertMembership, insertOrganization, password } from '../support/fixtures.ts';
import { type Caller, graphql, query } from '../support/graphql.ts';
import { countMails, mailsTo, settleMails } from '../support/mail.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { isAccepted, post, refreshWith, signIn } from '../support/sign-in.ts';
import { createTeam, join, type Person } from '../support/team.ts';
import { tablesWith } from '../support/traces.ts';

// Everything that goes, and everything that stays, when a person erases their account (interface/leaving.md).

const server = await shared(startTestServer({ env: { RATE_LIMIT: 'off' } }));
const limited = await shared(startTestServer({ env: { RATE_LIMIT: 'on' } }));

interface Refusal {
  status: number;
  code: string | null;
  detail?: string;
  pointers?: string[];
}

const refusalOf = async (answer: Awaited<ReturnType<typeof send>>): Promise<Refusal> => ({
  status: answer.status,
  code: answer.status === 200 ? null : (answer.body as { code: string }).code,
  detail: (answer.body as { detail?: string }).detail ?? '',
  pointers: answer.status === 200 ? [] : pointersOf(answer),
});

type Erase = (at: { url: string }, caller: Caller, input: Record<string, unknown>) => Promise<Refusal>;

const mutation = 'mutation ($input: EraseViewerInput!) { eraseViewer(input: $input) { erased } }';
const ways: { name: string; erase: Erase }[] = [
  {
    name: 'DELETE /auth/me',
    erase: async (at, caller, input) => refusalOf(await send(at, caller, 'DELETE /auth/me', input)),
  },
  {
    name: 'POST /auth/me/erase',
    erase: async (at, caller, input) => refusalOf(await send(at, caller, 'POST /auth/me/erase', input)),
  },
  {
    name: 'eraseViewer',
    erase: async (at, { accessToken }, input) => {
      const answer = await graphql(at, { accessToken: accessToken as string }, mutation, { input });
      const [error] = answer.errors ?? [];
      if (!error) expect(answer.data).toEqual({ eraseViewer: { erased: true } });
      const { code = null, errors = [] } = error?.extensions ?? {};
      return {
        status: answer.status,
        code,
        detail: error?.message ?? '',
        pointers: errors.map(({ pointer }) => pointer),
      };
    },
  },
];

const execute = <Row>(statement: string, values: unknown[] = []) =>
  server.orm.em.fork().execute<Row[]>(statement, values);

const future = { date_start: '2031-05-01T10:00:00Z', date_end: '2031-05-01T12:00:00Z' };
const badge = { key: 'badge', type: 'text', label: 'Name on the badge' };

/** A person with a name, an address and answers that are found nowhere else. */
async function createPerson() {
  const team = await createTeam(server);
  const mark = randomUUIDv7();
  const name = `Zoe ${mark}`;
  const email = `Zoe-${mark}@example.org`;
  const { id: userId } = await insertMember(server.orm, {
    organizationId: team.organizationId,
    role: 'member',
    name,
    email,
  });
  const person = { ...(await signIn(server.url, email)), userId, email, organizationId: team.organizationId };
  const secret = `vegan-${mark}`;
  const createEvent = async (fields: object = {}) => {
    const { body } = await send<{ id: string }>(server, team.manager, 'POST /events', {
      name: 'Open Day',
      status: 1,
      ...future,
      ...fields,
    });
    await send(server, team.manager, `PUT /events/${body.id}/form`, { questions: [badge] });
    return body.id;
  };
  const subscribe = async (event: string, caller: Caller = person, answers: object | null = { badge: secret }) => {
    const answer = await send<{ id: string; status: string }>(server, caller, `POST /events/${event}/subscriptions`, {
      ...(answers ? { answers } : {}),
    });
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  };
  return { team, person, name, secret, createEvent, subscribe };
}

const look = (caller: Caller, event: string, id: string) =>
  send<Record<string, unknown>>(server, caller, `GET /events/${event}/subscriptions/${id}?include=user`);

describe.each(ways)('$name', ({ erase }) => {
  it('leaves no trace of name, address and answers, and ends all access', async () => {
    const { team, person, name, secret, createEvent, subscribe } = await createPerson();
    const [coming, past] = [await createEvent(), await createEvent()];
    const rows = [await subscribe(coming), await subscribe(past)] as const;
    await execute(
      `update event set date_start = now() - interval '2 days', date_end = now() - interval '1 day' where id = ?`,
      [past],
    );
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

    await expect.poll(() => tablesWith(server, [name, person.email, secret]), { timeout: 15_000 }).toEqual([]);
    expect(await isAccepted(server.url, person.accessToken)).toBe(false);
    expect(await isAccepted(server.url, second.accessToken)).toBe(false);
    expect((await refreshWith(server.url, second.cookie)).status).toBe(401);
    expect((await post(`${server.url}/auth/login`, { email: person.email, password })).status).toBe(400);
    // what organizers keep
    const kept = await look(team.manager, past, rows[1].id);
    expect(kept.body).toMatchObject({ status: 'accepted', answers: null, form_version: null, user_id: person.userId });
    expect(kept.body.user).toEqual({ id: person.userId, name: 'Deleted user', avatar_url: null, email: null });
    expect((await look(team.manager, coming, rows[0].id)).body).toMatchObject({ status: 'cancelled', answers: null });
    const changes = await send<{ items: { actor_id: string; status_to: string }[] }>(
      server,
      team.manager,
      `GET /events/${coming}/subscriptions/${rows[0].id}/changes`,
    );
    expect(changes.body.items.map(({ actor_id, status_to }) => [actor_id, status_to])).toEqual([
      [person.userId, 'accepted'],
      [person.userId, 'cancelled'],
    ]);
    const audit = await send<{ items: Record<string, unknown>[] }>(server, team.owner, 'POST /audit/query', {
      where: { actor_id: person.userId },
    });
    expect(audit.body.items.at(-1)).toMatchObject({ action: 'user.erased', subject_id: person.userId, detail: null });
    for (const entry of audit.body.items) expect([entry.ip, entry.user_agent]).toEqual([null, null]);
    expect(audit.body.items.map(({ action }) => action)).toContain('session.started');
    const members = await send<{ items: { user_id: string }[] }>(server, team.manager, 'GET /members');
    expect(members.body.items.map((each) => each.user_id)).not.toContain(person.userId);
  });

  it('moves the waiting lists, and tells readers of the log', async () => {
    const { team, person, createEvent, subscribe } = await createPerson();
    const event = await createEvent({ capacity: 1 });
    const place = await subscribe(event);
    const waiting = await join(server, team.organizationId, 'member');
    const next = await subscribe(event, waiting, null);
    expect(next.status).toBe('waitlisted');
    const reader = await readerFrom(server, team.manager);
    expect((await erase(server, person, { password })).code).toBeNull();
    expect((await look(team.manager, event, next.id)).body.status).toBe('accepted');
    expect((await mailsTo(server, waiting.email, 2))[1]?.subject).toContain('You have a place');
    const changes = await reader.rest();
    expect(
      changes
        .filter(({ kind }) => kind === 'subscription')
        .map(({ object_id, op }) => [object_id, op])
        .sort(),
    ).toEqual(
      [
        [place.id, 'changed'],
        [next.id, 'changed'],
      ].sort(),
    );
  });

  it('tells readers that erased answers are a change', async () => {
    const { team, person, createEvent, subscribe } = await createPerson();
    const event = await createEvent();
    const place = await subscribe(event);
    await execute(
      `update event set date_start = now() - interval '2 days', date_end = now() - interval '1 day' where id = ?`,
      [event],
    );
    const reader = await readerFrom(server, team.manager);
    await erase(server, person, { password });
    expect((await reader.rest()).map(({ object_id, op, actor_id }) => [object_id, op, actor_id])).toEqual([
      [place.id, 'changed', person.userId],
    ]);
  });

  it('lets the address sign up anew, which gets nothing of before', async () => {
    const { team, person, createEvent, subscribe } = await createPerson();
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
    const mail = (await mailsTo(server, person.email, before + 2)).at(-1);
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
    expect((await post(`${server.url}/auth/verify-email`, { token })).status).toBe(200);
    const { accessToken } = await signIn(server.url, person.email, again);
    const me = await send<{ id: string; organizations: { id: string }[] }>(server, { accessToken }, 'GET /auth/me');
    expect(me.body.id).not.toBe(person.userId);
    expect(me.body.organizations.map(({ id }) => id)).toEqual([team.organizationId]);
    const caller = { accessToken, organizationId: team.organizationId };
    const { events } = await query<{ events: { nodes: object[] } }>(
      server,
      caller,
      '{ events { nodes { viewerSubscription { id } } } }',
    );
    expect(events.nodes).toEqual([{ viewerSubscription: null }]);
    const sessions = await send<{ length: number }>(server, { accessToken }, 'GET /auth/sessions');
    expect(sessions.body.length).toBe(1);
  });

  it('refuses a wrong password before all else, and the last owner, whose organization it names', async () => {
    const team = await createTeam(server);
    const { owner } = team;
    const wrong = await erase(server, owner, { password: 'wrong password' });
    expect(wrong).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    const name = `Chess & Co ${randomUUIDv7()}`;
    await send(server, owner, 'PATCH /organization', { name });
    const last = await erase(server, owner, { password });
    expect(last).toMatchObject({ code: 'CONFLICT', detail: expect.stringContaining(name) });
    // an owner whose address is not proven is none
    const unproven = await insertMember(server.orm, {
      organizationId: team.organizationId,
      role: 'owner',
      name: 'X',
      email: `${randomUUIDv7()}@example.org`,
    });
    await execute('update "user" set verified_at = null where id = ?', [unproven.id]);
    expect((await erase(server, owner, { password })).code).toBe('CONFLICT');
    expect(await isAccepted(server.url, owner.accessToken)).toBe(true);
    await send(server, owner, `PATCH /members/${team.manager.membershipId}`, { role: 'owner' });
    expect((await erase(server, owner, { password })).code).toBeNull();
  });

  it('counts a wrong password as a failed sign-in', async () => {
    const { member } = await createTeam(limited);
    for (let count = 0; count < 10; count += 1) {
      expect((await erase(limited, member, { password: 'wrong password' })).code).toBe('INVALID_CREDENTIALS');
    }
    expect((await erase(limited, member, { password })).code).toBe('RATE_LIMITED');
    expect((await post(`${limited.url}/auth/login`, { email: member.email, password })).status).toBe(429);
  });

  it('takes a password and nothing else', async () => {
    const { member } = await createTeam(server);
    const answers = [await erase(server, member, {}), await erase(server, member, { password, further: 1 })];
    for (const { code } of answers) expect(['VALIDATION_ERROR', 'GRAPHQL_VALIDATION_FAILED']).toContain(code);
    expect(await isAccepted(server.url, member.accessToken)).toBe(true);
    expect((await erase(server, {}, { password })).code).toBe('INVALID_TOKEN');
  });

  it('is not for keys', async () => {
    const { owner } = await createTeam(server);
    const made = await send<{ secret: string }>(server, owner, 'POST /api-keys', {
      ...{ name: 'Robot', role: 'manager', access: 'write' },
    });
    expect((await erase(server, { accessToken: made.body.secret }, { password })).code).toBe('FORBIDDEN');
  });

  it('shows the entry to the owners of each organization of a person in several', async () => {
    const { team, person } = await createPerson();
    const other = await createTeam(server);
    await insertMembership(server.orm, { organizationId: other.organizationId, userId: person.userId });
    await erase(server, person, { password });
    for (const { owner } of [team, other]) {
      const { body } = await send<{ items: object[] }>(server, owner, 'POST /audit/query', {
        where: { action: 'user.erased' },
      });
      expect(body.items).toMatchObject([{ actor_id: person.userId, subject_id: person.userId, ip: null }]);
    }
  });

  it('discards stored responses with the subscriptions of the person, theirs and those of managers', async () => {
    const { team, person, name, secret, createEvent, subscribe } = await createPerson();
    const [first, second] = [await createEvent(), await createEvent()];
    const key = { 'idempotency-key': 'one' };
    const body = { answers: { badge: secret } };
    expect((await send(server, person, `POST /events/${first}/subscriptions`, body, key)).status).toBe(201);
    const row = await subscribe(second);
    const path = `PATCH /events/${second}/subscriptions/${row.id}`;
    expect((await send(server, team.manager, path, { status: 'pending' }, key)).text).toContain(secret);
    const unrelated = await send(
      server,
      team.manager,
      'POST /events',
      { name: 'Kept', ...future },
      { 'idempotency-key': 'two' },
    );
    // GraphQL may select the subscriptions of others beside what it writes
    for (const selection of ['nodes { answers }', 'edges { node { status user { name } } }']) {
      const document = `mutation { updateEvent(input: { id: "${second}", description: "${randomUUIDv7()}" }) {
        event { subscriptions { ${selection} } } } }`;
      const answer = await graphql(server, team.manager, document, undefined, { 'idempotency-key': randomUUIDv7() });
      expect(answer.errors, answer.text).toBeUndefined();
    }
    expect((await tablesWith(server, [secret])).join()).toContain('idempotency_key');
    await erase(server, person, { password });
    await expect.poll(() => tablesWith(server, [secret, name]), { timeout: 15_000 }).toEqual([]);
    const again = await send(server, team.manager, path, { status: 'pending' }, key);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect(again.text).not.toContain(secret);
    const kept = await send(
      server,
      team.manager,
      'POST /events',
      { name: 'Kept', ...future },
      { 'idempotency-key': 'two' },
    );
    expect(kept.text).toBe(unrelated.text);
  });
});

describe('removing a member with erase_answers', () => {
  const removals: { name: string; remove(caller: Caller, id: string, erase: boolean): Promise<string | null> }[] = [
    {
      name: 'in the body',
      remove: async (caller, id, erases) =>
        (await refusalOf(await send(server, caller, `DELETE /members/${id}`, { erase_answers: erases }))).code,
    },
    {
      name: 'in the query string',
      remove: async (caller, id, erases) =>
        (await refusalOf(await send(server, caller, `DELETE /members/${id}?erase_answers=${erases}`))).code,
    },
    {
      name: 'by GraphQL',
      remove: async (caller, id, eraseAnswers) => {
        const document =
          'mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { removedMembershipId } }';
        const { errors } = await graphql(server, caller, document, { input: { id, eraseAnswers } });
        return errors?.[0]?.extensions.code ?? null;
      },
    },
  ];

  it.each(removals)('$name: erases the answers of that organization alone, past ones too', async ({ remove }) => {
    for (const by of ['manager', 'member'] as const) {
      for (const erases of [true, false]) {
        const team = await createTeam(server);
        const leaver = await join(server, team.organizationId, 'member');
        const other = await createTeam(server);
        await insertMembership(server.orm, { organizationId: other.organizationId, userId: leaver.userId });
        const secret = randomUUIDv7();
        const rows: [Person, string, string][] = [];
        for (const { manager } of [team, team, other]) {
          const event = await send<{ id: string }>(server, manager, 'POST /events', {
            name: 'A',
            status: 1,
            ...future,
          });
          await send(server, manager, `PUT /events/${event.body.id}/form`, { questions: [badge] });
          const caller = { ...leaver, organizationId: manager.organizationId };
          const { body } = await send<{ id: string }>(server, caller, `POST /events/${event.body.id}/subscriptions`, {
            answers: { badge: secret },
          });
          rows.push([manager, event.body.id, body.id]);
        }
        const [, past] = rows as [[Person, string, string], [Person, string, string]];
        await execute(
          `update event set date_start = now() - interval '2 days', date_end = now() - interval '1 day' where id = ?`,
          [past[1]],
        );
        expect(await remove(by === 'member' ? leaver : team.manager, leaver.membershipId, erases)).toBeNull();
        const answers = await Promise.all(rows.map(([manager, event, id]) => look(manager, event, id)));
        const kept = { badge: secret };
        expect(answers.map(({ body }) => body.answers)).toEqual(erases ? [null, null, kept] : [kept, kept, kept]);
        expect(answers.map(({ body }) => body.status)).toEqual(['cancelled', 'accepted', 'accepted']);
        // whoever leaves keeps their name
        expect(answers[1]?.body.user).toMatchObject({ name: 'A member', email: leaver.email });
      }
    }
  });

  it('refuses anything else', async () => {
    const team = await createTeam(server);
    const path = `DELETE /members/${team.member.membershipId}`;
    for (const value of ['yes', '', '1']) {
      const answer = await send(server, team.manager, `${path}?erase_answers=${value}`);
      expectCode(answer, 400, 'INVALID_QUERY');
      expect(pointersOf(answer)).toEqual(['/erase_answers']);
    }
    const wrong = await send(server, team.manager, path, { erase_answers: 'yes' });
    expectCode(wrong, 400, 'VALIDATION_ERROR');
    expect(pointersOf(wrong)).toEqual(['/erase_answers']);
    expectCode(await send(server, team.manager, path, { erase: true }), 400, 'VALIDATION_ERROR');
    expect((await send(server, team.manager, path)).body).toBe(true);
  });
});

describe('an organization', () => {
  it('of which somebody else is an owner stays as it is', async () => {
    const { id: organizationId } = await insertOrganization(server.orm);
    const [one, two] = [await join(server, organizationId, 'owner'), await join(server, organizationId, 'owner')];
    expect((await send(server, one, 'DELETE /auth/me', { password })).body).toBe(true);
    // of two last owners at once, one stays
    expectCode(await send(server, two, 'DELETE /auth/me', { password }), 409, 'CONFLICT');
    const pair = [await join(server, organizationId, 'owner'), two];
    const answers = await Promise.all(pair.map((owner) => send(server, owner, 'DELETE /auth/me', { password })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
