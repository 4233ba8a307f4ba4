import { Client, fetchExchange, gql, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-sse';
import { describe, expect, it } from 'vitest';
import { changesPage, readStream } from '../support/changes.ts';
import { callerHeaders, graphql, send } from '../support/send.ts';
import { createTeam, join, type Person, serveTeam } from '../support/server.ts';
import { subscribing } from '../support/subscribing.ts';

const { server, team } = await serveTeam();
const { event, subscribe } = subscribing(server, team);

interface Payload {
  changes: {
    cursor: string;
    change: { kind: string; op: string; objectDatabaseId: string; object: object | null } | null;
  };
}

const fields = 'cursor change { kind op objectDatabaseId object { __typename ... on Event { name } } }';
const document = `subscription ($after: String, $since: ChangeSince, $kinds: [ChangeKind!]) {
  changes(after: $after, since: $since, kinds: $kinds) { ${fields} } }`;

const open = (person: Person, query: string, variables: object = {}, accept = 'text/event-stream') =>
  readStream(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...callerHeaders(person) },
    body: JSON.stringify({ query, variables }),
  });

describe('subscription { changes }', () => {
  it('is read by graphql-sse, which goes on from the last cursor', async () => {
    const client = createClient({
      url: `${server.url}/graphql`,
      headers: callerHeaders(team.manager),
      retryAttempts: 0,
    });
    const read = async (variables: Record<string, unknown>, most: number, act?: () => Promise<unknown>) => {
      const seen: Payload['changes'][] = [];
      for await (const { data } of client.iterate<Payload>({ query: document, variables })) {
        const { changes } = data as Payload;
        if (changes.change) seen.push(changes);
        else await act?.();
        if (seen.length === most) break;
      }
      return seen;
    };
    const made: string[] = [];
    const act = async () => {
      for (let count = 0; count < 3; count += 1) made.push((await event({ name: 'Open Day' })).id);
    };
    const seen = await read({ since: 'NOW' }, 2, act);
    expect(seen.map(({ change }) => change)).toEqual(
      made.slice(0, 2).map((objectDatabaseId) => ({
        ...{ kind: 'EVENT', op: 'CREATED', objectDatabaseId, object: { __typename: 'Event', name: 'Open Day' } },
      })),
    );
    const left = await read({ after: seen[1]?.cursor }, 1);
    expect(left.map(({ change }) => change?.objectDatabaseId)).toEqual(made.slice(2));
    const rest = await changesPage(server, team.manager, `token=${seen[0]?.cursor}`);
    expect(rest.body.items.map(({ object_id }) => object_id)).toEqual(made.slice(1));
    client.dispose();
  });

  it('is read by urql, with its exchange for subscriptions', async () => {
    const sse = createClient({ url: `${server.url}/graphql`, headers: callerHeaders(team.member), retryAttempts: 0 });
    const client = new Client({
      url: `${server.url}/graphql`,
      preferGetMethod: false,
      exchanges: [
        fetchExchange,
        subscriptionExchange({
          forwardSubscription: ({ query = '', variables }) => ({
            subscribe: (sink) => ({ unsubscribe: sse.subscribe({ query, variables }, sink as never) }),
          }),
        }),
      ],
    });
    const told = Promise.withResolvers<Payload['changes']>();
    const live = Promise.withResolvers<void>();
    const { unsubscribe } = client
      .subscription<Payload>(gql(document), { since: 'NOW', kinds: ['SUBSCRIPTION'] })
      .subscribe(({ data }) => {
        if (data?.changes.change) told.resolve(data.changes);
        else live.resolve();
      });
    await live.promise;
    const to = await event();
    await subscribe(team.owner, to);
    const { body: own } = await subscribe(team.member, to);
    expect((await told.promise).change).toMatchObject({ op: 'CREATED', objectDatabaseId: own.id });
    unsubscribe();
    sse.dispose();
  });

  it('shows objects as they are when each payload is made', async () => {
    const stream = await open(team.manager, document, { since: 'NOW' });
    await stream.until(({ event: name }) => name === 'next');
    const { id } = await event({ name: 'One' });
    const named = (name: string) =>
      stream.until(({ data }) =>
        JSON.stringify(data).includes(`"objectDatabaseId":"${id}","object":{"__typename":"Event","name":"${name}"`),
      );
    await named('One');
    await send(server, team.manager, `PATCH /events/${id}`, { name: 'Two' });
    await named('Two');
  });

  it.each([
    ['text/event-stream; charset=utf-8', 'text/event-stream'],
    ['application/json;q=0.1, text/event-stream; charset=utf-8; q=0.5', 'text/event-stream'],
    ['text/event-stream; q=0; charset=utf-8', 'INVALID_QUERY'],
    ['*/*', 'INVALID_QUERY'],
  ])('answers `Accept: %s` by %s', async (accept, answer) => {
    const { response } = await open(team.manager, document, { since: 'NOW' }, accept);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    const refusal = isStream ? null : await response.json();
    expect(refusal?.errors[0].extensions.code ?? 'text/event-stream').toBe(answer);
  });

  it('is opened by GET, too, with a header that forces a preflight', async () => {
    const search = new URLSearchParams({ query: document, variables: JSON.stringify({ since: 'NOW' }) });
    const url = `${server.url}/graphql?${search}`;
    const stream = await readStream(url, { headers: { accept: 'text/event-stream', ...callerHeaders(team.manager) } });
    await stream.until(({ event: name }) => name === 'next');
    const { id } = await event();
    await stream.until(({ data }) => JSON.stringify(data).includes(id));
    const unguarded = await fetch(url, { headers: { accept: 'text/event-stream' } });
    expect(unguarded.status).toBe(403);
    expect(await unguarded.json()).toMatchObject({ errors: [{ extensions: { code: 'CROSS_SITE' } }] });
  });

  it('has the events of the protocol, and the cost', async () => {
    const stream = await open(team.manager, document, { since: 'NOW' });
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    expect((await stream.until(({ event: name }) => name === 'next')).data).toEqual({
      data: { changes: { cursor: expect.any(String), change: null } },
      extensions: { cost: 2 },
    });
  });

  it('refuses before it begins what every operation refuses, and what REST refuses', async () => {
    const { response: stranger } = await open({} as Person, document);
    expect(stranger.status).toBe(401);
    const { body } = await changesPage(server, team.manager, 'since=now');
    const refusals = [
      [team.manager, { after: 'x' }, 400, 'INVALID_CURSOR'],
      [team.manager, { after: body.next, since: 'NOW' }, 400, 'INVALID_QUERY'],
      [team.manager, { kinds: ['NONE'] }, 200, 'GRAPHQL_VALIDATION_FAILED'],
      [team.member, { after: body.next }, 410, 'CURSOR_EXPIRED'],
    ] as const;
    for (const [person, variables, status, code] of refusals) {
      const { response } = await open(person, document, variables);
      const answer = (await response.json()) as { errors: { extensions: { code: string } }[] };
      expect([response.status, answer.errors[0]?.extensions.code]).toEqual([status, code]);
    }
    const plain = await graphql(server, team.manager, document);
    expect(plain.errors?.[0]).toMatchObject({ extensions: { code: 'INVALID_QUERY' } });
    const deep = await open(team.manager, `subscription { a: changes { ${fields} } b: changes { ${fields} } }`);
    expect(await deep.response.json()).toMatchObject({
      errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    });
  });

  it('ends with the code when access ends, and then completes', async () => {
    const person = await join(server, team.organizationId, 'member');
    const stream = await open(person, document, { since: 'NOW' });
    await stream.until(({ event: name }) => name === 'next');
    await send(server, team.owner, `PATCH /members/${person.membershipId}`, { role: 'manager' });
    await stream.closed;
    const errors = [{ extensions: { code: 'CURSOR_EXPIRED' } }];
    expect(stream.events.slice(-2)).toMatchObject([{ event: 'next', data: { errors } }, { event: 'complete' }]);
  });

  it('sends a payload of 400 KB', async () => {
    const organization = await createTeam(server);
    const { event: make, subscribe: put } = subscribing(server, organization);
    const large = await make();
    const keys = Array.from({ length: 40 }, (_, index) => `q${index}`);
    const questions = keys.map((key) => ({ key, type: 'long_text', label: 'Why?' }));
    expect((await send(server, organization.manager, `PUT /events/${large.id}/form`, { questions })).status).toBe(200);
    const answers = Object.fromEntries(keys.map((key) => [key, 'x'.repeat(10_000)]));
    expect((await put(organization.member, large, { answers })).status).toBe(201);
    const stream = await open(
      organization.manager,
      `subscription { changes(since: START, kinds: [SUBSCRIPTION]) {
        change { object { ... on EventSubscription { answers } } } } }`,
    );
    const payload = await stream.until(({ event: name }) => name === 'next');
    expect(payload.data).toMatchObject({ data: { changes: { change: { object: { answers } } } } });
  });
});
