import type { ExecutionResult } from 'graphql';
import { KnownDocument, KnownOperation, WrittenAnswer } from '#compiled-graphql';
import { type Context, Loaders } from '../../src/engine/context.ts';
import type { Log } from '../../src/kernel/request.ts';
import type { OperationExecution } from '../../src/schema/execution/operation.ts';
import { Executor } from '../../src/schema/server/plugins/executor.ts';

const { execute } = Executor.prototype;
const differences: string[] = [];
let asUsual = 0;

let comparing = false;

Executor.prototype.execute = async function (execution, ctx) {
  const isQuery = execution.operation.node.operation === 'query';
  const compares = comparing && isQuery && asUsual === 0;
  const result = await execute.call(this, execution, ctx);
  if (compares) await compareWithOtherLane(execution, ctx, result);
  return result;
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
export async function compareWithOtherLane(execution: OperationExecution, ctx: Context, result: ExecutionResult) {
  const faults: string[] = [];
  const fresh = freshContext(ctx, (fault) => faults.push(fault));
  const { document, node } = execution.operation;
  // what is trusted is compiled at once, and of the other nobody has counted a run yet
  const known = new KnownDocument(document.schema, document.source, document.rules, !(result instanceof WrittenAnswer));
  const operation = new KnownOperation(known, node);
  if (operation.document.trusted) operation.countRun();
  const other = await execute.call(new Executor(), { ...execution, operation, checkFailure: nothing }, fresh);
  if (textOf(result) !== textOf(other)) faults.push(`served:\n${textOf(result)}\nthe other way:\n${textOf(other)}`);
  if (faults.length === 0) return;
  differences.push(`${document.source}\n${faults.join('\n')}`);
  throw new Error(differences.at(-1));
}

function textOf(result: ExecutionResult): string {
  if (result instanceof WrittenAnswer)
    return withoutMoments(result.text.replace(/,"extensions":\{"cost":\d+\}\}$/, '}'));
  return withoutMoments(JSON.stringify({ data: result.data, errors: result.errors }));
}

/** Cursors of the log of changes tell of the moment at which they were made; the fifth byte says that they are such. */
function withoutMoments(text: string): string {
  return text.replace(/"((?:start|end)?[cC]ursor)":"([\w-]+)"/g, (all, name, cursor) =>
    Buffer.from(cursor, 'base64url')[4] === 0x40 ? `"${name}":"…"` : all,
  );
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
