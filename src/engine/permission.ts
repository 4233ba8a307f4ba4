import { DomainError, type ErrorCode } from '../kernel/errors.ts';
import { type Runnable, requireRunnable } from './command.ts';
import type { MemberContext } from './context.ts';

/** Whether an otherwise correct request for an operation would succeed now; if not, the code that it would get. */
export interface Permission {
  allowed: boolean;
  code: ErrorCode | null;
}

/**
 * @param state of the object, read without a lock; undefined if it was deleted in the meantime
 * @param check what the command checks about the state
 */
export function permissionTo<State>(
  ctx: MemberContext,
  command: Runnable<'organization'>,
  state: State | undefined,
  check: (state: State) => void = () => undefined,
): Permission {
  try {
    requireRunnable(ctx, command);
    if (state === undefined) throw new DomainError('NOT_FOUND');
    check(state);
    return { allowed: true, code: null };
  } catch (error) {
    if (error instanceof DomainError) return { allowed: false, code: error.code };
    throw error;
  }
}
