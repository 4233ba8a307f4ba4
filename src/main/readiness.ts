import type { Response } from 'express';
import { askInTime, type Connections } from '#postgres-access';
import { migrations } from '../db/migrations/migrations.ts';
import { statusOf } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import { DomainError } from '../kernel/errors.ts';
import { presentProblem, problemType } from '../rest/server/problem.ts';

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

/** Whether new clients should be sent here (operate/observe.md#health). */
export class Readiness {
  draining = false;
  readonly #connections: Connections;
  readonly #loop = new LoopWatch();
  #state: Promise<DatabaseState> | null = null;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async read(): Promise<{ obstacles: Obstacle[]; isReachable: boolean }> {
    const forget = () => {
      this.#state = null;
    };
    // public and unlimited, so checks share one query, and its result for a second
    this.#state ??= stateOf(this.#connections).finally(() => void setTimeout(forget, 1_000).unref());
    const state = await this.#state;
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
    if (replicas) response.set('x-replicas', `${replicas.answering}/${replicas.all.length}`);
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

/** Milliseconds between two looks. */
const period = 200;
/** How many milliseconds late a look may be. */
const tolerated = 1_000;
/** How many in a row have to be late: a proxy could do nothing about a single block. */
const several = 3;

/** Notices that the event loop is blocked again and again. */
class LoopWatch {
  #due = performance.now() + period;
  #late = 0;
  readonly #timer = setInterval(() => {
    this.#late = performance.now() - this.#due > tolerated ? this.#late + 1 : 0;
    this.#due = performance.now() + period;
  }, period).unref();

  get isLate(): boolean {
    return this.#late >= several;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
