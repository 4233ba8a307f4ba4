import type { Response } from 'express';
import type { Connections } from '../db/access/connections.ts';
import { migrations } from '../db/migrations/migrations.ts';
import { exchangeOf } from '../http/exchange.ts';
import { DomainError } from '../kernel/errors.ts';
import { presentProblem, problemType } from '../rest/server/problem.ts';
import { sharedAnswer } from './shared-answer.ts';

/** What keeps the service from being ready, each with a sentence for operators. */
const sentences = {
  draining: 'The service is stopping and takes no new clients.',
  database: 'The primary database does not respond.',
  migrations: 'The database lacks migrations of this version.',
};

export type Obstacle = keyof typeof sentences;

/** SQLSTATEs of a database without our tables: it was replaced. */
const undefinedTable = '42P01';

/** Answers whether new clients should be sent here (interface/settings.md#health). */
export class Readiness {
  /** Whether the service is stopping. */
  draining = false;
  readonly #connections: Connections;
  readonly #askDatabase: () => Promise<Obstacle | null>;

  constructor(connections: Connections) {
    this.#connections = connections;
    // public and unlimited, so concurrent checks share one query
    this.#askDatabase = sharedAnswer(() => obstacleOf(connections), 1_000);
  }

  async obstacles(): Promise<Obstacle[]> {
    const found = await this.#askDatabase();
    return [...(this.draining ? ['draining' as const] : []), ...(found ? [found] : [])];
  }

  /** @param publicUrl where clients reach the service */
  async respond(response: Response, publicUrl: string): Promise<void> {
    const obstacles = await this.obstacles();
    // if no replica responds, the primary serves reads
    const { replicas } = this.#connections;
    if (replicas) response.set('x-replicas', `${replicas.answering}/${replicas.count}`);
    response.set('cache-control', 'no-store');
    if (obstacles.length === 0) {
      response.json(true);
      return;
    }
    const detail = obstacles.map((each) => sentences[each]).join(' ');
    const error = new DomainError('SERVICE_UNAVAILABLE', { detail, retryAfter: 2 });
    const { requestId } = exchangeOf(response.req);
    response
      .status(error.status)
      .set({ 'content-type': problemType, 'retry-after': String(error.retryAfter) })
      .end(JSON.stringify({ ...presentProblem(error, { requestId, publicUrl }), obstacles }));
  }
}

/** Asks for migrations that did not run; a connection that does not answer is closed (note 0049). */
const question = {
  text: 'select 1 from unnest($1::text[]) as known (name) where name not in (select name from mikro_orm_migrations) limit 1',
  values: [migrations.map(({ name }) => name)],
  query_timeout: 2_000,
};

async function obstacleOf({ primary }: Connections): Promise<Obstacle | null> {
  try {
    const { rows } = await primary.query(question);
    return rows.length > 0 ? 'migrations' : null;
  } catch (error) {
    return (error as { code?: unknown }).code === undefinedTable ? 'migrations' : 'database';
  }
}
