import type { Context } from '../../engine/context.ts';
import { inTurn } from '../../kernel/turns/take-turn.ts';
import { Turns } from '../../kernel/turns/turns.ts';

/** Operations with more nodes, and documents with more tokens, are expensive: they block the process for a while. */
const cheap = { nodes: 500, tokens: 200 };

/**
 * Lets organizations take turns with work that blocks the process rather than the database (docs/decisions/0030): an
 * operation with thousands of nodes takes 50 ms of the only thread.
 */
export class OperationTurns {
  readonly #validating: Turns;
  readonly #executing: Turns;

  /** @param patience milliseconds that a request waits */
  constructor(patience: number) {
    const shares = { userShare: 100, organizationShare: 100, patience };
    this.#validating = new Turns({ connections: 1, ...shares });
    // one per organization, and two in total
    this.#executing = new Turns({ connections: 2, ...shares });
  }

  /** @param tokens the size of the document. @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE */
  async validate<Result>(ctx: Context, tokens: number, validate: () => Result): Promise<Result> {
    return tokens <= cheap.tokens ? validate() : await inTurn(ctx, this.#validating, validate);
  }

  /** Executes an operation. @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE */
  async execute<Result>(ctx: Context, cost: number, execute: () => Promise<Result>): Promise<Result> {
    return await (cost <= cheap.nodes ? execute() : inTurn(ctx, this.#executing, execute));
  }
}
