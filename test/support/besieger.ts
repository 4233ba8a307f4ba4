import { parentPort, workerData } from 'node:worker_threads';
import { type Question, sendQuestion } from './question.ts';

// Runs in a thread of its own, so that what the answers cost those who ask is nobody else's time. Asks until it is told to
// end, then posts what came of it.

export interface SiegeOrder {
  url: string;
  /** The headers of each. */
  attackers: Record<string, string>[];
  attack: 'counts' | 'pages' | 'publicCounts';
  /** Memory of both threads: how many were answered so far. */
  answered: Int32Array<SharedArrayBuffer>;
}

export interface SiegeReport {
  refused: { status: number; retryAfter: string | null; text: string }[];
}

/** Fifty conditions that no index serves, another fifty each time: nothing that was worked out before helps. */
function costlyNames(): string[] {
  return Array.from({ length: 50 }, (_, index) => `${index}${Math.random().toString(36).slice(2)}`);
}

/** Counts of a list, as both faces ask for them. */
function costlyCounts(path: string, query: string): (() => Question)[] {
  return [
    () => {
      const where = { $and: costlyNames().map((name) => ({ $not: { name } })) };
      return { path: `${path}?where=${encodeURIComponent(JSON.stringify(where))}` };
    },
    () => ({
      query,
      variables: { where: { and: costlyNames().map((contains) => ({ not: { name: { contains } } })) } },
    }),
  ];
}

const attacks: Record<SiegeOrder['attack'], (() => Question)[]> = {
  counts: costlyCounts(
    '/events/count',
    'query ($where: EventWhere) { events(where: $where, first: 1) { totalCount } }',
  ),
  publicCounts: costlyCounts(
    '/public/events/count',
    'query ($where: PublicEventWhere) { publicEvents(where: $where, first: 1) { totalCount } }',
  ),
  // some 9,000 nodes
  pages: [
    () => ({
      query: `{
        events { nodes { ...event subscriptions { nodes { ...subscription } } } }
        last: events(last: 40) { nodes { ...event subscriptions { edges { cursor node { ...subscription } } } } }
      }
      fragment event on Event { id name description dateStart dateEnd location acceptedCount }
      fragment subscription on EventSubscription { id status createdAt user { id name } }`,
    }),
    () => ({ path: '/events?where={"name":"a"}' }),
  ],
};

const { url, attackers, attack, answered } = workerData as SiegeOrder;
const report: SiegeReport = { refused: [] };
let ended = false;
parentPort?.once('message', () => {
  ended = true;
});
const besieging = attackers.map(async (attacker, index) => {
  for (let round = index; !ended; round += 1) {
    const question = attacks[attack][round % attacks[attack].length] as () => Question;
    const answer = await sendQuestion(url, attacker, question());
    const text = await answer.text();
    if (answer.status === 200) Atomics.add(answered, 0, 1);
    else report.refused.push({ status: answer.status, retryAfter: answer.headers.get('retry-after'), text });
  }
});
await Promise.all(besieging);
parentPort?.postMessage(report);
