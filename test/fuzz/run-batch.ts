import fc from 'fast-check';
import type { AccessTokens } from '#session-tokens';
import type { Orm } from '../../src/db/orm.ts';
import { type AccountCase, accountWrites, askAccount } from './accounts.ts';
import { askHostile } from './ask-hostile.ts';
import { Batch } from './batch.ts';
import { askChanges, type ChangesCase, changePages } from './changes.ts';
import { PutOff } from './compare.ts';
import { compareAccounts, compareTwins, findStrangeRows } from './end-of-batch.ts';
import { type HostileCase, hostile } from './hostile.ts';
import type { Line } from './line.ts';
import { askRead, type ReadCase, reads } from './reads.ts';
import { askSingle, type SingleCase, singleReads } from './singles.ts';
import { createWorld } from './world.ts';
import { askWrite, type WriteCase, writes } from './writes.ts';

type Case = ReadCase | SingleCase | ChangesCase | WriteCase | AccountCase | HostileCase;

const cases: fc.Arbitrary<Case> = fc.oneof<fc.MaybeWeightedArbitrary<Case>[]>(
  { weight: 5, arbitrary: reads },
  { weight: 4, arbitrary: singleReads },
  { weight: 2, arbitrary: changePages },
  { weight: 6, arbitrary: writes },
  { weight: 2, arbitrary: accountWrites },
  { weight: 5, arbitrary: hostile },
);

const asks = {
  read: askRead,
  single: askSingle,
  changes: askChanges,
  write: askWrite,
  account: askAccount,
  hostile: askHostile,
};

/** How many cases a batch has, some 700 requests. */
const casesOfBatch = 300;

/** What a batch found wrong. */
export interface Failure {
  batch: number;
  /** What was found first; the search for smaller requests may have led to something else. */
  message: string;
  /** The smallest request that fails, and how; null if what is wrong is seen only at the end. */
  smallest: { asked: unknown; message: string } | null;
}

export interface Tools {
  orm: Orm;
  tokens: AccessTokens;
  line: Line;
  seed: number;
}

/** One batch: its number and the seed decide all that it asks. */
export async function runBatch({ orm, tokens, line, seed }: Tools, number: number): Promise<Failure[]> {
  const batch = new Batch(line, await createWorld(orm, tokens));
  let twinsDiffer = false;
  let accountsDiffer = false;
  let first: string | null = null;
  const ask = async (each: Case) => {
    try {
      await asks[each.kind](batch, each as never);
    } catch (error) {
      if (!(error instanceof PutOff)) {
        first ??= String(error);
        throw error;
      }
      if (each.kind === 'write') twinsDiffer = true;
      if (each.kind === 'account') accountsDiffer = true;
    }
  };
  const details = await fc.check(fc.asyncProperty(cases, ask), {
    numRuns: casesOfBatch,
    seed: (seed * 1_000_003 + number) | 0,
    endOnFailure: false,
  });
  if (details.failed) {
    const message = String((details.errorInstance as Error | null)?.message ?? 'interrupted');
    return [{ batch: number, message: first ?? message, smallest: { asked: details.counterexample?.[0], message } }];
  }
  const wrong = [
    ...(await findStrangeRows(orm, batch)),
    ...(twinsDiffer ? [] : await compareTwins(orm, batch)),
    ...(accountsDiffer ? [] : await compareAccounts(orm, batch)),
  ];
  return wrong.map((message) => ({ batch: number, message, smallest: null }));
}
