import { type AnyCommand, type Call, type Command, type CommandContexts, execute } from '../../engine/command.ts';
import type { Context } from '../../engine/context.ts';
import { DomainError, faults } from '../../kernel/errors.ts';
import type { FieldExtensions } from '../builder/field-extensions.ts';
import { camelCase } from './dialect.ts';

/** What the field of a command says of it: the command itself, and the access that it needs. */
export function commandExtensions(command: AnyCommand): FieldExtensions {
  const { access } = command;
  return { command, access: () => (access === 'user' ? 'viewer' : access) };
}

/**
 * Runs a command, with the same checks and codes as REST; pointers use GraphQL's names. Clears the loaders, so that the
 * operation reads again.
 *
 * @param fields the input, under the names of REST
 */
export async function runCommand<Access extends keyof CommandContexts, Input, Result>(
  ctx: Context,
  command: Command<Access, Input, Result>,
  fields: Record<string, unknown>,
  call: Call,
): Promise<Result> {
  try {
    return await execute(command, ctx, fields, call);
  } catch (error) {
    if (!(error instanceof DomainError) || !error.issues) throw error;
    throw faults(
      error.code,
      error.issues.map((issue) => ({ ...issue, pointer: ownPointer(issue.pointer) })),
    );
  } finally {
    ctx.loaders.clear();
  }
}

/** The pointer with GraphQL's name of the field; segments below it are unchanged. */
function ownPointer(pointer: string): string {
  return pointer.replace(/^\/[^/]+/, camelCase);
}
