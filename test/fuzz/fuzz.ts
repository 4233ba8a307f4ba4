import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AccessTokens } from '#session-tokens';
import { completeSecrets } from '../../src/config/secrets.ts';
import { createOrm } from '../../src/db/orm.ts';
import { type ChildService, startChildService } from '../support/child-service.ts';
import { type Counts, Line } from './line.ts';
import { type Failure, runBatch } from './run-batch.ts';

export interface FuzzOptions {
  /** A migrated database, to which organizations and users are added. */
  databaseUrl: string;
  seed: number;
  /** How many requests to send at least, if nothing fails. */
  requests: number;
  /** Which of so many parts; each sends other requests. */
  part: { index: number; of: number };
  /** Only this batch. */
  batch?: number;
  /** Gets what was found at once, and how far it has come at times. */
  report?: (line: string) => void;
}

export interface FuzzReport extends Counts {
  batches: number;
  seconds: number;
  failures: Failure[];
}

/** Batches at a time, each with organizations of its own. */
const lanes = 6;
const mostFailures = 20;

/** Asks two processes of the service on one database, as two replicas. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { databaseUrl, seed, requests, part, report = () => undefined } = options;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-fuzz-'));
  const orm = await createOrm({ url: databaseUrl, poolSize: 4 });
  const services: ChildService[] = [];
  const issuer = 'http://events.test';
  const { privateKeys } = await completeSecrets({}, dataDir);
  const tokens = new AccessTokens({ privateKeys, issuer, audience: issuer });
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, RATE_LIMIT: 'off', DATABASE_POOL_SIZE: '8' };
  const failures: Failure[] = [];
  const began = performance.now();
  let line: Line | undefined;
  let batches = 0;
  try {
    services.push(...(await Promise.all([startChildService(env), startChildService(env)])));
    line = new Line(services.map(({ url }) => url));
    const { counts } = line;
    const tools = { orm, tokens, line, seed };
    let told = 0;
    let next = part.index - 1;
    const work = async () => {
      while (counts.requests < requests && failures.length < mostFailures) {
        const number = next;
        next += part.of;
        const found = await runBatch(tools, number);
        failures.push(...found);
        for (const failure of found) report(`\n${describeFailure(failure, options)}`);
        batches += 1;
        if (counts.requests - told < 10_000) continue;
        told = counts.requests;
        const rate = Math.round((told / (performance.now() - began)) * 1000);
        report(`${told} requests, ${rate} a second, ${counts.limited} put off, ${failures.length} failures`);
      }
    };
    if (options.batch === undefined) await Promise.all(Array.from({ length: lanes }, work));
    else {
      failures.push(...(await runBatch(tools, options.batch)));
      for (const failure of failures) report(describeFailure(failure, options));
      batches = 1;
    }
    return { ...counts, batches, seconds: (performance.now() - began) / 1000, failures };
  } finally {
    await line?.close();
    await Promise.all(services.map((each) => each.kill()));
    await orm.close(true);
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** What a report says of a failure, with the way to see it again. */
export function describeFailure({ batch, message, smallest }: Failure, { seed }: Pick<FuzzOptions, 'seed'>): string {
  const shown = smallest ? ['The smallest request that fails:', JSON.stringify(smallest.asked), smallest.message] : [];
  return [message, ...shown, `Again: npm run fuzz -- --seed ${seed} --batch ${batch}`, ''].join('\n');
}
