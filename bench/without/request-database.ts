import type { RequestDatabaseOptions } from '../../src/db/access/request-database.ts';
import { ServiceDatabase } from '../../src/db/access/service-database.ts';
import type { Context } from '../../src/engine/context.ts';

/**
 * Replaces `src/db/access/request-database.ts`, to measure what protecting the service costs. Statements take no turns, the
 * loaded rows are not counted, and statements are not cancelled when the client disconnects.
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
