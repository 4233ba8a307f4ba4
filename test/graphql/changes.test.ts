import { describe, expect, it } from 'vitest';
import { changesPage } from '../support/changes.ts';
import { graphql, query } from '../support/graphql.ts';
import { subscribing } from '../support/subscribing.ts';
import { serveTeam, type Team } from '../support/team.ts';

const { server, team } = await serveTeam();
const { event, subscribe, ask: askForm } = subscribing(server, team);

interface Changes {
  changes: {
    edges: { cursor: string; node: Record<string, unknown> }[];
    pageInfo: { endCursor: string; hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null };
  };
}

const page = `edges { cursor node { id kind op objectDatabaseId eventDatabaseId version actorDatabaseId actor { name } occurredAt
  object { __typename ... on Event { name } ... on EventSubscription { status } } } }
  pageInfo { endCursor startCursor hasNextPage hasPreviousPage }`;
const document = `query ($after: String, $first: Int, $since: ChangeSince, $kinds: [ChangeKind!]) {
  changes(after: $after, first: $first, since: $since, kinds: $kinds) { ${page} } }`;

const ask = async (person: Team['manager'], variables: Record<string, unknown>) =>
  (await query<Changes>(server, person, document, variables)).changes;

describe('changes', () => {
  it('are those of REST, with their objects, and each face goes on from the cursors of the other', async () => {
    const begin = await ask(team.manager, { since: 'NOW' });
    expect(begin).toEqual({
      edges: [],
      pageInfo: { endCursor: expect.any(String), startCursor: null, hasNextPage: false, hasPreviousPage: false },
    });
    const to = await event({ name: 'Open Day' });
    await subscribe(team.member, to);
    await askForm(to);
    const rest = await changesPage(server, team.manager, `token=${begin.pageInfo.endCursor}`);
    const shown = await ask(team.manager, { after: begin.pageInfo.endCursor });
    expect(shown.edges.map(({ node }) => node)).toEqual(
      rest.body.items.map((each) => ({
        ...{ id: each.id, kind: each.kind.toUpperCase(), op: each.op.toUpperCase(), objectDatabaseId: each.object_id },
        ...{
          eventDatabaseId: each.event_id,
          version: each.version,
          actorDatabaseId: each.actor_id,
          occurredAt: each.occurred_at,
        },
        actor:
          each.actor_id === null ? null : { name: each.actor_id === team.member.userId ? 'A member' : 'A manager' },
        object:
          each.kind === 'subscription'
            ? { __typename: 'EventSubscription', status: 'ACCEPTED' }
            : { __typename: 'Event', name: 'Open Day' },
      })),
    );
    expect(shown.edges.map(({ node }) => [node.kind, node.op])).toEqual([
      ['EVENT', 'CREATED'],
      ['SUBSCRIPTION', 'CREATED'],
      ['EVENT', 'CHANGED'],
      ['FORM', 'CREATED'],
    ]);
    const second = shown.edges[1]?.cursor;
    const after = await changesPage(server, team.manager, `token=${second}`);
    expect(after.body.items).toEqual(rest.body.items.slice(2));
    expect((await ask(team.manager, { after: rest.body.next })).edges).toEqual([]);
    expect((await ask(team.manager, { after: second, first: 1 })).pageInfo.hasNextPage).toBe(true);
    const none = await ask(team.manager, { after: second, first: 0 });
    expect(none).toMatchObject({ edges: [], pageInfo: { hasNextPage: true } });
    const left = (await ask(team.manager, { after: none.pageInfo.endCursor })).edges;
    expect(left.map(({ node }) => node)).toEqual(shown.edges.slice(2).map(({ node }) => node));
  });

  it('refuse what REST refuses, with the same codes', async () => {
    const begin = await ask(team.manager, { since: 'NOW' });
    const after = begin.pageInfo.endCursor;
    const refusals = [
      [{ after, since: 'NOW' }, 'INVALID_QUERY', '/since'],
      [{ first: -1 }, 'INVALID_QUERY', '/first'],
      [{ kinds: [] }, 'INVALID_QUERY', '/kinds'],
      [{ after, kinds: ['EVENT'] }, 'INVALID_CURSOR', '/after'],
      [{ after: 'x' }, 'INVALID_CURSOR', '/after'],
    ] as const;
    for (const [variables, code, pointer] of refusals) {
      const { errors } = await graphql(server, team.manager, document, variables);
      expect(errors?.map(({ extensions }) => [extensions.code, extensions.errors?.[0]?.pointer])).toEqual([
        [code, pointer],
      ]);
    }
    const expired = await graphql(server, team.member, document, { after });
    expect(expired.errors?.[0]?.extensions.code).toBe('CURSOR_EXPIRED');
    expect(expired.headers.get('cache-control')).toBe('no-store');
    expect((await ask(team.manager, { after: '', since: null, kinds: ['FORM'] })).edges.length).toBeGreaterThan(0);
  });
});
