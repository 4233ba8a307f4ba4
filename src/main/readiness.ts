import type { Response } from 'express';
import type { Connections } from '../db/access/pool.ts';
import { askInTime } from '../db/access/session.ts';
import { migrations } from '../db/migrations/migrations.ts';
import { statusOf } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import { DomainError } from '../kernel/errors.ts';
import { presentProblem, problemType } from '../rest/server/problem.ts';
import { LoopWatch } from './loop-watch.ts';
import { sharedAnswer } from './shared-answer.ts';

/** Why this process cannot serve while others may, for operators. */
const sentences = {
  draining: 'The service is stopping and takes no new clients.',
  migrations: 'The database lacks migrations of this version.',
  event_loop: 'The process is blocked for more than a second again and again.',
};

export type Obstacle = keyof typeof sentences;

const obstacles = Object.keys(sentences) as Obstacle[];

type DatabaseState = 'reachable' | 'unreachable' | 'unmigrated';

/** The SQLSTATE of a database without our tables: it was replaced. */
const undefinedTable = '42P01';

/** Whether new clients should be sent here (interface/settings.md#health). */
export class Readiness {
  draining = false;
  readonly #connections: Connections;
  readonly #askDatabase: () => Promise<DatabaseState>;
  readonly #loop = new LoopWatch();

  constructor(connections: Connections) {
    this.#connections = connections;
    // public and unlimited, so concurrent checks share one query
    this.#askDatabase = sharedAnswer(() => stateOf(connections), 1_000);
  }

  async read(): Promise<{ obstacles: Obstacle[]; isReachable: boolean }> {
    const state = await this.#askDatabase();
    const found = { draining: this.draining, migrations: state === 'unmigrated', event_loop: this.#loop.isLate };
    return { obstacles: obstacles.filter((each) => found[each]), isReachable: state !== 'unreachable' };
  }

  stop(): void {
    this.#loop.stop();
  }

  async respond(response: Response, publicUrl: string): Promise<void> {
    const { obstacles: found, isReachable } = await this.read();
    const database = isReachable ? 'reachable' : 'unreachable';
    const { replicas } = this.#connections;
    if (replicas) response.set('x-replicas', `${replicas.answering}/${replicas.count}`);
    response.set('cache-control', 'no-store');
    // a lost database is lost for all processes: to take them out of the proxy would help nobody
    if (found.length === 0) {
      response.json({ ready: true, database });
      return;
    }
    const detail = found.map((each) => sentences[each]).join(' ');
    const error = new DomainError('SERVICE_UNAVAILABLE', { detail, retryAfter: 2 });
    const { requestId } = exchangeOf(response.req);
    response
      .status(statusOf(error))
      .set({ 'content-type': problemType, 'retry-after': String(error.retryAfter) })
      .end(JSON.stringify({ ...presentProblem(error, { requestId, publicUrl }), obstacles: found, database }));
  }
}

/** Milliseconds that the database has for an answer, including the wait for a connection. */
const patience = 2_000;

/** Selects a migration that did not run. */
const question = {
  text: 'select 1 from unnest($1::text[]) as known (name) where name not in (select name from mikro_orm_migrations) limit 1',
  values: [migrations.map(({ name }) => name)],
};

async function stateOf({ primary }: Connections): Promise<DatabaseState> {
  try {
    const rows = await askInTime(primary, question, patience);
    return rows.length > 0 ? 'unmigrated' : 'reachable';
  } catch (error) {
    return (error as { code?: unknown }).code === undefinedTable ? 'unmigrated' : 'unreachable';
  }
}
