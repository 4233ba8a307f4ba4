import type { RequestDatabaseOptions } from '../../src/db/access/request-database.ts';
import { ServiceDatabase } from '../../src/db/access/service-database.ts';
import type { Context } from '../../src/engine/context.ts';

/**
 * In place of `src/db/access/request-database.ts`: what the defence of requests costs. Statements take no turns, nothing counts
 * what they load, and they go on when the client has disconnected.
 */
export class RequestDatabase extends ServiceDatabase {
  readonly #ctx: Context;

  constructor(ctx: Context, { orm, connections }: RequestDatabaseOptions) {
    super(orm, connections);
    this.#ctx = ctx;
  }

  end(): void {}

  protected override user(): string | null {
    return this.#ctx.viewer?.userId ?? this.#ctx.tokenUserId;
  }
}
