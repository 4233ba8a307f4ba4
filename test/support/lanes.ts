import type { Context } from '../../src/engine/context.ts';
import { Loaders } from '../../src/engine/loaders.ts';
import type { Log } from '../../src/kernel/request.ts';
import { Executor, type Operation, type Outcome } from '../../src/schema/execution/executor.ts';

const { execute } = Executor.prototype;
/** For one compiled operation, in bytes. */
const enough = 10_000_000;
const differences: string[] = [];
let asUsual = 0;

let comparing = false;

Executor.prototype.execute = async function (operation, checkFailure) {
  const isQuery = operation.args.operation.operation === 'query';
  const compares = comparing && isQuery && asUsual === 0;
  const outcome = await execute.call(this, operation, checkFailure);
  if (compares) await compareWithOtherLane(operation, outcome);
  return outcome;
};

/** From now on every query is executed once more, by the way that the executor did not choose, and the answers are compared. */
export function compareLanes(on: boolean): void {
  comparing = on;
}

/** @throws Error that tells every difference so far, even if no test looked at the answer */
export function expectNoDifference(): void {
  if (differences.length > 0) throw new Error(`Lanes differ.\n${differences.splice(0).join('\n')}`);
}

/** Runs `fn` while operations are executed once, as usual: for tests that count or time what a request does. */
export async function executedOnce<Result>(fn: () => Promise<Result>): Promise<Result> {
  asUsual += 1;
  try {
    return await fn();
  } finally {
    asUsual -= 1;
  }
}

/**
 * Executes a query by graphql-js if the answer is that of the compiled one, and else compiled, if it can be.
 *
 * @throws Error if the answers differ, or if only the compiled query fails
 */
export async function compareWithOtherLane({ parsed, args }: Operation, outcome: Outcome): Promise<void> {
  const faults: string[] = [];
  const contextValue = freshContext(args.contextValue as Context, (fault) => faults.push(fault));
  // what is trusted is compiled at once, and an executor has not seen the rest yet
  const operation = { parsed: { ...parsed, trusted: !('json' in outcome) }, args: { ...args, contextValue } };
  const other = await execute.call(new Executor(args.schema, enough), operation);
  if (textOf(outcome) !== textOf(other)) faults.push(`served:\n${textOf(outcome)}\nthe other way:\n${textOf(other)}`);
  if (faults.length === 0) return;
  differences.push(`${parsed.source}\n${faults.join('\n')}`);
  throw new Error(differences.at(-1));
}

function textOf(outcome: Outcome): string {
  if ('json' in outcome) return `{"data":${outcome.json}}`;
  return JSON.stringify({ data: outcome.data, errors: outcome.errors });
}

/** The same request, with no rows read yet. */
function freshContext(ctx: Context, fault: (text: string) => void): Context {
  const log: Log = { ...silent, error: ({ err }: { err?: unknown }, message) => fault(`${message}: ${err}`) };
  const fresh: Context = Object.create(ctx, { log: { value: log } });
  fresh.loaders = new Loaders();
  return fresh;
}

const nothing = () => undefined;
const silent: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
