import type { ExecutionResult } from 'graphql';
import type { Context } from '../../engine/context.ts';
import { answerOnce } from '../../engine/idempotency/idempotency.ts';
import { onlyValue } from '../../http/framing.ts';
import { WrittenAnswer } from '../execution/answer.ts';
import { commandsOf, countFields } from './access.ts';
import { type Enveloped, executeOperation, type Ready } from './engine.ts';
import type { ErrorScope } from './errors.ts';

/** The parts that a retry must repeat, and a callback for when a stored response is sent. */
export interface Retry {
  asked: readonly (string | Buffer)[];
  replayed(): void;
}

/** Runs an operation with an idempotency key. It is then atomic: one error rolls back all mutations. */
export async function runOnce(
  { ctx, scope }: { ctx: Context; scope: ErrorScope },
  enveloped: Enveloped,
  ready: Ready,
  retry: Retry,
  given: readonly string[],
): Promise<ExecutionResult> {
  let failed: ExecutionResult | null = null;
  const { operation, args } = ready;
  const roots = operation.rootFields(() => args.variableValues.coerced);
  const commands = commandsOf(roots);
  const asked = {
    key: onlyValue(given),
    request: retry.asked,
    writes: countFields(roots),
    needs: commands,
    secret: commands.some(({ secret }) => secret),
  };
  const { answer, replayed } = await answerOnce(ctx, asked, async (tx) => {
    const made = await executeOperation(enveloped, ready, tx, scope, true);
    failed = made.errors ? { ...made, data: null } : null;
    return { answer: { outcome: 200, attributes: {}, body: JSON.stringify(made) }, keep: failed === null };
  });
  if (replayed) retry.replayed();
  return failed ?? new WrittenAnswer(answer.body);
}
