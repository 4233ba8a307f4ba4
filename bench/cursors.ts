import { eventResource } from '../src/domain/event/event.resource.ts';
import { CursorCodec } from '../src/engine/cursor.ts';
import { canonicalText, everything } from '../src/engine/list/condition.ts';
import type { BenchData } from './database.ts';
import { cursorSecret, type RunningPeer } from './peers.ts';
import type { Place } from './picks.ts';
import type { Peer } from './questions.ts';
import { sealOrdinary } from './servers/ordinary-cursor.ts';

/** Cursors that lead to a page, in the form of each peer. */
export interface Cursors {
  gateway: { deep: string; hot: string };
  /** Empty if PostGraphile does not run. */
  postgraphile: { hot: string };
  mercurius: { hot: string };
}

export async function findCursors(data: BenchData, running: ReadonlyMap<Peer, RunningPeer>): Promise<Cursors> {
  const postgraphile = running.get('postgraphile');
  return {
    gateway: { deep: seal(data.organization, data.deep), hot: seal(data.organization, data.hot.before) },
    postgraphile: { hot: postgraphile ? await askPostgraphile(postgraphile, data.hot.before) : '' },
    mercurius: { hot: sealOrdinary(new Date(data.hot.before.time), data.hot.before.id) },
  };
}

/** Sealed with the secret of the running gateway: getting there page by page would take a thousand requests. */
function seal(organization: string, { time, id }: Place): string {
  const cursors = new CursorCodec([cursorSecret]).bind(
    organization,
    ...[eventResource.name, '', eventResource.order, canonicalText(everything)],
  );
  return cursors.seal({ time: Date.parse(time), id });
}

/** A PostGraphile cursor contains the order and the keys, but no condition, so it can be taken from a list of one event. */
async function askPostgraphile({ url }: RunningPeer, { id }: Place): Promise<string> {
  const query = `query Cursor($id: UUID!) {
    allEvents(first: 1, orderBy: [DATE_START_ASC, PRIMARY_KEY_ASC], condition: {rowId: $id}) { edges { cursor } }
  }`;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { id }, operationName: 'Cursor' }),
  });
  const text = await response.text();
  const { data } = JSON.parse(text) as { data?: { allEvents?: { edges: { cursor: string }[] } } };
  const cursor = data?.allEvents?.edges[0]?.cursor;
  if (cursor === undefined) throw new Error(`PostGraphile gave no cursor: ${text}`);
  return cursor;
}
