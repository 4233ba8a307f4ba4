import type { Progress } from '../packages/command-line/src/index.ts';
import { type Cursors, findCursors } from './cursors.ts';
import type { BenchData } from './database.ts';
import { type RunningPeer, startPeers, stopPeers } from './peers.ts';
import { type Ask, askOf, type Peer, type Question } from './questions.ts';
import { requestOf } from './request.ts';
import type { Settings } from './settings.ts';
import { countStatements } from './statement-counter.ts';

/** A question for one peer, and the number of statements that the peer sends to PostgreSQL for one response. */
export interface Pair {
  question: Question;
  peer: Peer;
  ask: Ask;
  statements: number;
}

export type MakeQuestions = (data: BenchData, cursors: Cursors) => Question[];

/**
 * Sends every question to every peer before anything is measured: the responses must be correct, or their speed means
 * nothing. These are separate peers, with a counter between them and PostgreSQL.
 */
export async function inspect(
  data: BenchData,
  { peers, only }: Pick<Settings, 'peers' | 'only'>,
  makeQuestions: MakeQuestions,
  progress: Progress,
): Promise<Pair[]> {
  const counter = await countStatements(data.url);
  try {
    const running = await startPeers(peers, { ...data, url: counter.url });
    try {
      const pairs = pairsOf(choose(makeQuestions(data, await findCursors(data, running)), only), running);
      progress.begin('statements', pairs.length);
      for (const pair of pairs) {
        pair.statements = await count(pair, running.get(pair.peer) as RunningPeer, counter.count);
        progress.advance(1);
      }
      return pairs;
    } finally {
      await stopPeers(running);
    }
  } finally {
    progress.end();
    counter.close();
  }
}

function choose(questions: Question[], only: string[]): Question[] {
  const unknown = only.find((name) => !questions.some((question) => question.name === name));
  if (unknown !== undefined) throw new Error(`--only: there is no ${unknown}`);
  return only.length > 0 ? questions.filter(({ name }) => only.includes(name)) : questions;
}

function pairsOf(questions: Question[], running: ReadonlyMap<Peer, RunningPeer>): Pair[] {
  return questions.flatMap((question) =>
    [...running.keys()].flatMap((peer) => {
      const ask = askOf(question, peer);
      return ask ? [{ question, peer, ask, statements: 0 }] : [];
    }),
  );
}

async function count(pair: Pair, running: RunningPeer, counted: () => number): Promise<number> {
  // after a few requests, statements are prepared and caches are warm
  for (let warm = 0; warm < 3; warm += 1) await check(pair, running);
  const counts: number[] = [];
  for (let ask = 0; ask < 3; ask += 1) {
    const before = counted();
    await check(pair, running);
    counts.push(counted() - before);
  }
  // a statement that refreshes a cache every few seconds is not counted as part of the question
  return Math.min(...counts);
}

async function check({ question, peer, ask }: Pair, running: RunningPeer): Promise<void> {
  const { url, ...init } = requestOf(running, ask);
  const response = await fetch(url, init);
  const text = await response.text();
  const wrong =
    !response.ok ||
    (ask.graphql && (JSON.parse(text) as { errors?: unknown }).errors !== undefined) ||
    !text.includes(question.expects ?? '');
  if (wrong) throw new Error(`${question.name}: ${peer} responds ${response.status} ${text.slice(0, 500)}`);
}
