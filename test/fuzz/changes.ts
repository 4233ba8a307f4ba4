import fc from 'fast-check';
import { type Asking, type Batch, readers, seldom } from './batch.ts';
import { expectSame, expectSameRefusal, refusalOf } from './compare.ts';
import type { Answer } from './line.ts';

/** Pages of the log of changes, in the words of REST. */
export interface ChangesCase {
  kind: 'changes';
  asking: Asking;
  kinds: string[] | null;
  since: string | null;
  /** Of each page, of which there are as many. */
  limits: number[];
  /** In place of the first cursor. */
  cursor: string | null;
  /** Whether the query stands in a body. */
  posted: boolean;
}

export const changePages: fc.Arbitrary<ChangesCase> = fc.record({
  kind: fc.constant('changes' as const),
  asking: readers({ owner: 6, manager: 4, member: 8 }),
  kinds: fc.oneof<fc.MaybeWeightedArbitrary<string[] | null>[]>(
    { weight: 12, arbitrary: fc.option(fc.subarray(['event', 'form', 'subscription'], { minLength: 1 })) },
    { weight: 1, arbitrary: fc.constantFrom([], ['nonsense'], ['event', 'event']) },
  ),
  since: seldom(fc.constantFrom('start', 'now', 'nonsense'), 4),
  limits: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
  cursor: seldom(fc.constantFrom('x', 'AAAA', '💥', 'a'.repeat(5_000), '@twin', '@cut', '@kinds', '@list'), 10),
  posted: fc.boolean(),
});

interface Page {
  items: { object_id: string | null; event_id: string | null }[];
  hasMore: boolean;
}

/** Asks both faces for the same pages; each goes on from the cursor of the other. @throws Difference if they differ */
export async function askChanges(batch: Batch, asked: ChangesCase): Promise<void> {
  const { asking, limits, since } = asked;
  const { organizationId } = batch.side(asking.side);
  const given = await firstCursor(batch, asked);
  let [ours, theirs] = [given, given];
  for (const [index, limit] of limits.entries()) {
    const from = index === 0 ? since : null;
    const rest = await askRest(batch, asked, { limit, since: from, token: ours });
    const graphql = await askGraphql(batch, asked, { limit, since: from, token: theirs });
    expectSameRefusal(rest, graphql, 'INVALID_QUERY');
    if (refusalOf(rest)) return;
    batch.count('changes');
    const [page, next] = restPage(rest);
    const [twin, end] = graphqlPage(graphql);
    expectSame('the changes', page, twin);
    batch.show(
      organizationId,
      page.items.flatMap((each) => [each.object_id, each.event_id]).filter((id) => id !== null),
    );
    [ours, theirs] = [end, next];
  }
}

interface Place {
  limit: number;
  since: string | null;
  token: string | null;
}

const firstCursor = (batch: Batch, { cursor, asking, kinds }: ChangesCase) =>
  batch.firstCursor(cursor, asking, (kind) =>
    kind === '@list' ? '/events?limit=1' : `/changes?since=now&kinds=${kindsFor(kind, kinds)}`,
  );

/** Those of the case, so that a cursor is wrong by nothing else; or others. */
function kindsFor(cursor: string, kinds: string[] | null): string {
  if (cursor === '@kinds') return kinds?.includes('form') ? 'event' : 'form';
  return (kinds ?? ['event', 'form', 'subscription']).join('+');
}

function askRest(
  batch: Batch,
  { asking, kinds, posted }: ChangesCase,
  { limit, since, token }: Place,
): Promise<Answer> {
  const query = {
    limit,
    ...(kinds === null ? {} : { kinds: kinds.join(' ') }),
    ...(since === null ? {} : { since }),
    ...(token === null ? {} : { token }),
  };
  if (posted) return batch.rest(asking, 'POST', '/changes/query', query);
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return batch.rest(asking, 'GET', `/changes?${search}`);
}

const fields =
  'id kind op object_id: objectDatabaseId event_id: eventDatabaseId version actor_id: actorDatabaseId occurred_at: occurredAt';
const document = `query ($first: Int, $after: String, $since: ChangeSince, $kinds: [ChangeKind!]) {
  changes(first: $first, after: $after, since: $since, kinds: $kinds) {
    nodes { ${fields} } pageInfo { hasNextPage hasPreviousPage endCursor } } }`;

function askGraphql(batch: Batch, { asking, kinds }: ChangesCase, { limit, since, token }: Place): Promise<Answer> {
  const variables = {
    ...{ first: limit, after: token },
    ...(since === null ? {} : { since: since.toUpperCase() }),
    ...(kinds === null ? {} : { kinds: kinds.map((kind) => kind.toUpperCase()) }),
  };
  return batch.graphql({ ...asking, service: asking.service + 1 }, document, variables);
}

function restPage({ body }: Answer): [Page, string] {
  const { items, has_more, next } = body as { items: Page['items']; has_more: boolean; next: string };
  return [{ items, hasMore: has_more }, next];
}

function graphqlPage({ body }: Answer): [Page, string] {
  const { nodes, pageInfo } = (body as { data: { changes: Connection } }).data.changes;
  if (pageInfo.hasPreviousPage) throw new Error('a page of changes has one before it');
  const items = nodes.map((each) => ({ ...each, kind: each.kind.toLowerCase(), op: each.op.toLowerCase() }));
  return [{ items, hasMore: pageInfo.hasNextPage }, pageInfo.endCursor];
}

interface Connection {
  nodes: (Page['items'][number] & { kind: string; op: string })[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string };
}
