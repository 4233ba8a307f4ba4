import { type ZodType, z } from 'zod';
import { type ErrorCode, faults, type Issue } from '../kernel/errors.ts';
import { checkInput } from '../kernel/input/parse-input.ts';
import { type OrganizationRole, requireRole } from '../kernel/roles.ts';
import { type Context, type MemberContext, type ViewerContext, withMembership, withViewer } from './context.ts';
import { isTransaction, smallTransaction, type Transaction, transaction } from './transaction.ts';
import type { VersionGuard } from './version-guard.ts';

/** What a command runs with: a viewer, or a viewer in an organization. */
export interface CommandContexts {
  user: ViewerContext;
  organization: MemberContext;
}

/** The arguments of a command besides its input; ids are as the client sent them. */
export interface Call {
  /** The object that it changes; empty if there is none. */
  id: string;
  /** The parent of the object, if the client names it (as a REST path does). */
  within?: string | undefined;
  guard?: VersionGuard | undefined;
}

type Sent = Readonly<Record<string, unknown>>;

/** One change that a signed-in user can request. Both faces run it with {@link execute}, which checks in one order. */
export interface Command<Access extends keyof CommandContexts, Input, Result> {
  access: Access;
  /** The minimum role in the organization to run it. */
  role?: OrganizationRole;
  /**
   * Whether it changes the viewer's own account or sessions: it then takes no `Idempotency-Key`, whose transaction would take
   * back what the audit trail says of a refusal.
   */
  ofAccount?: boolean;
  /** Refuses fields that the viewer may not send, whatever their values. @throws DomainError FORBIDDEN */
  allow?(ctx: CommandContexts[Access], sent: Sent): void;
  /** The fields under their REST names. */
  input: ZodType<Input>;
  /**
   * The values that the object has now, under the names of the input. To send them back is no fault, whatever they are:
   * imported ones have other limits. Read only if the input has issues.
   */
  stored?(ctx: CommandContexts[Access], call: Call): Promise<Sent | undefined>;
  /**
   * Issues of the input that depend on stored data; they are reported together with the others.
   *
   * @param isSound whether there are no others
   */
  check?(ctx: CommandContexts[Access], sent: Sent, call: Call, isSound: boolean): Promise<Issue[]>;
  /** The codes of `run`, beyond those that access, role, input and the limits imply. */
  errors: readonly ErrorCode[];
  run(ctx: CommandContexts[Access], input: Input, call: Call): Promise<Result>;
}

/** A command whose types do not matter, to name it by. */
export type AnyCommand = Pick<
  Command<keyof CommandContexts, unknown, unknown>,
  'access' | 'role' | 'ofAccount' | 'input'
>;

interface Definition<Access extends keyof CommandContexts, Input, Result, Prepared>
  extends Omit<Command<Access, Input, Result>, 'run'> {
  /** Whether it is a {@link smallTransaction}. */
  small?: boolean;
  /** What happens outside the transaction that `change` runs: before it begins, or once it has failed. */
  around?(ctx: CommandContexts[Access], input: Input, change: (prepared: Prepared) => Promise<Result>): Promise<Result>;
  /** Runs inside the command's transaction. */
  run(tx: Transaction<CommandContexts[Access]>, input: Input, call: Call, prepared: Prepared): Promise<Result>;
}

/** A command, which is one transaction. */
export function command<Access extends keyof CommandContexts, Input, Result, Prepared = void>({
  small = false,
  around = (_ctx, _input, change) => change(undefined as Prepared),
  run,
  ...definition
}: Definition<Access, Input, Result, Prepared>): Command<Access, Input, Result> {
  const begin = small ? smallTransaction : transaction;
  return {
    ...definition,
    run: (ctx, input, call) => around(ctx, input, (prepared) => begin(ctx, (tx) => run(tx, input, call, prepared))),
  };
}

/** The input of a command that takes no fields. */
export const noFields = z.strictObject({});

/**
 * Runs a command after authentication and the check of the organization: counts the write, then checks the role, then the
 * input; the command itself checks the object and its state (note 0023).
 *
 * @throws DomainError RATE_LIMITED, FORBIDDEN, VALIDATION_ERROR, and what the command throws
 */
export async function execute<Access extends keyof CommandContexts, Input, Result>(
  command: Command<Access, Input, Result>,
  ctx: Context,
  sent: unknown,
  call: Call = { id: '' },
): Promise<Result> {
  const scoped = scopedTo(command.access, ctx);
  // with an idempotency key, it is counted before the transaction begins
  if (!isTransaction(ctx)) await countWrites(scoped, 1);
  if (command.role) requireRole(ctx, command.role);
  let fields = isObject(sent) ? sent : {};
  command.allow?.(scoped, fields);
  let checked = checkInput(command.input, sent);
  const stored = 'issues' in checked && isObject(sent) ? await command.stored?.(scoped, call) : undefined;
  if (stored) {
    fields = Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== stored[name]));
    checked = checkInput(command.input, fields);
  }
  const further = (await command.check?.(scoped, fields, call, !('issues' in checked))) ?? [];
  const issues = [...('issues' in checked ? checked.issues : []), ...further];
  if (issues.length > 0 || 'issues' in checked) throw faults('VALIDATION_ERROR', issues);
  return await command.run(scoped, checked.value, call);
}

/** Counts writes of the viewer. @throws DomainError RATE_LIMITED */
export async function countWrites({ services, viewer }: Context, writes: number): Promise<void> {
  for (let count = 0; viewer && count < writes; count += 1) {
    await services.limits.take({ rule: 'write', key: viewer.userId });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function scopedTo<Access extends keyof CommandContexts>(access: Access, ctx: Context): CommandContexts[Access] {
  return (access === 'organization' ? withMembership(ctx) : withViewer(ctx)) as CommandContexts[Access];
}
