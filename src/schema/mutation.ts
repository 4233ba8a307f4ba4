import type { ZodType } from 'zod';
import type { Context, MemberContext, ViewerContext } from '../domain/context.ts';
import { DomainError, faults } from '../domain/errors.ts';
import { parseInput } from '../domain/input/parse-input.ts';
import { camelCase } from '../domain/list/dialect.ts';
import { memberContext, signedIn } from './access.ts';

/**
 * Checks an input by the schema of REST, with the same codes; the pointers have GraphQL's names.
 *
 * @param input the fields under their REST names
 * @throws DomainError VALIDATION_ERROR
 */
export function checkInput<T>(schema: ZodType<T>, input: Record<string, unknown>): T {
  try {
    return parseInput(schema, input);
  } catch (error) {
    if (!(error instanceof DomainError) || !error.issues) throw error;
    throw faults(
      error.code,
      error.issues.map((issue) => ({ ...issue, pointer: camelCase(issue.pointer) })),
    );
  }
}

/** Runs a mutation of the viewer's own; what the operation reads after it is read anew. */
export async function asViewer<Result>(ctx: Context, run: (ctx: ViewerContext) => Promise<Result>): Promise<Result> {
  signedIn(ctx);
  return await rereading(ctx, () => run(ctx as ViewerContext));
}

/** Runs a mutation in the organization of the request, likewise. */
export async function asMember<Result>(ctx: Context, run: (ctx: MemberContext) => Promise<Result>): Promise<Result> {
  return await rereading(ctx, () => run(memberContext(ctx)));
}

async function rereading<Result>(ctx: Context, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } finally {
    ctx.loaders.clear();
  }
}
