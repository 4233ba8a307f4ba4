import { ZodObject, type ZodRawShape, type ZodType, z } from 'zod';
import { isRecord } from '#input-values';
import type { Deprecation } from '../kernel/deprecation.ts';
import { DomainError, type ErrorCode, faults, type Issue } from '../kernel/errors.ts';
import { checkInput } from '../kernel/input/parse-input.ts';
import { type LimitKey, spend } from '../kernel/limits/limits.ts';
import { isAllowedKey, type KeyPermission, type OrganizationRole, requireRole } from '../kernel/request.ts';
import { type Context, type MemberContext, type PersonContext, withMembership, withPerson } from './context.ts';
import { isTransaction, smallTransaction, type Transaction, transaction } from './transaction.ts';
import type { VersionGuard } from './version-guard.ts';

/** The fields that a command takes, under their REST names. */
export function inputShape({ input }: { input: ZodType }): ZodRawShape {
  return input instanceof ZodObject ? input.shape : {};
}

/** What a command runs with: a person, or a viewer in an organization. */
export interface CommandContexts {
  user: PersonContext;
  organization: MemberContext;
}

/** The arguments of a command in addition to its input; ids are as the client sent them. */
export interface Call {
  /** The object that it changes; empty if there is none. */
  id: string;
  /** The object's parent, if the client names it as a REST path does. */
  within?: string | undefined;
  guard?: VersionGuard | undefined;
}

type ReadAhead<Result> = (ctx: MemberContext) => Promise<Result>;

type Sent = Readonly<Record<string, unknown>>;

/** One change that a signed-in user can request. Both APIs run it with {@link execute}, which checks in one order. */
export interface Command<Access extends keyof CommandContexts, Input, Result> {
  /** In both APIs, unless one gives its own. */
  name: string;
  /** In both APIs, unless one gives its own. */
  description: string;
  /** The noun of the id in {@link Call}. */
  object?: string;
  /** Whether a client can guard the version of the object. */
  versioned?: boolean;
  /** Whether the input may have up to 1 MiB, because it contains a form or answers to one. */
  large?: boolean;
  access: Access;
  /** The minimum role in the organization to run it. */
  role?: OrganizationRole;
  /** Whether only people may run it, with any `access`; keys get FORBIDDEN (reference/api-keys.md#limits-of-a-key). */
  people?: boolean;
  /** The permission with which keys may run it nevertheless. */
  keys?: KeyPermission;
  /**
   * Whether it changes the viewer's own account or sessions. It then takes no `Idempotency-Key`: the rollback of the outer
   * transaction would lose the audit entry of a refusal.
   */
  ofAccount?: boolean;
  /** Whether the response shows a secret, and is encrypted if it is stored (reference/writes.md#idempotency-keys). */
  secret?: boolean;
  /**
   * Whether it waits for a server that a client chose. It then takes no `Idempotency-Key`, which would hold a connection to the
   * database, and an operation runs it once.
   */
  callsOut?: boolean;
  /** How many writes it counts as; one if absent. */
  writes?(sent: Sent): number;
  deprecated?: Deprecation;
  /** Reads what `run` gets by {@link wasRead}: a request that holds one connection to the database must not wait for a second. */
  ahead?: ReadAhead<unknown>;
  /** Refuses fields that the viewer may not send, whatever their values. @throws DomainError FORBIDDEN */
  allow?(ctx: CommandContexts[Access], sent: Sent): void;
  /** The fields under their REST names. */
  input: ZodType<Input>;
  /** The current values of the object, which are valid even if imported beyond the limits. Read only if the input has issues. */
  stored?(ctx: CommandContexts[Access], call: Call): Promise<Sent | undefined>;
  /** Issues of the input that depend on stored data. @param isValid whether the input has no other issues */
  check?(ctx: CommandContexts[Access], sent: Sent, call: Call, isValid: boolean): Promise<Issue[]>;
  /** The error codes of `run`, beyond those implied by access, role, input and limits. */
  errors: readonly ErrorCode[];
  run(ctx: CommandContexts[Access], input: Input, call: Call): Promise<Result>;
}

/** The metadata of a command of any type. */
export type AnyCommand = Pick<
  Command<keyof CommandContexts, unknown, unknown>,
  Exclude<keyof Command<keyof CommandContexts, unknown, unknown>, 'allow' | 'stored' | 'check' | 'run'>
>;

interface Definition<Access extends keyof CommandContexts, Input, Result, Prepared>
  extends Omit<Command<Access, Input, Result>, 'run'> {
  /** Whether it is a {@link smallTransaction}. */
  small?: boolean;
  /** Wraps the transaction, which `change` runs, for work before or after it. */
  around?(
    ctx: CommandContexts[Access],
    input: Input,
    change: (prepared: Prepared) => Promise<Result>,
    call: Call,
  ): Promise<Result>;
  /** Runs inside the command's transaction. */
  run(tx: Transaction<CommandContexts[Access]>, input: Input, call: Call, prepared: Prepared): Promise<Result>;
}

/** Defines a command that runs in one transaction. */
export function command<Access extends keyof CommandContexts, Input, Result, Prepared = void>({
  small = false,
  around = (_ctx, _input, change) => change(undefined as Prepared),
  run,
  ...definition
}: Definition<Access, Input, Result, Prepared>): Command<Access, Input, Result> {
  const begin = small ? smallTransaction : transaction;
  return {
    ...definition,
    run: (ctx, input, call) =>
      around(ctx, input, (prepared) => begin(ctx, (tx) => run(tx, input, call, prepared)), call),
  };
}

export const noFields = z.strictObject({});
export const forOwnAccount = { access: 'user', ofAccount: true } as const;
export const forManagers = { access: 'organization', role: 'manager' } as const;
export const forOwners = { access: 'organization', role: 'owner', people: true } as const;

/**
 * Runs a command once authentication and the organization are checked: counts the write, then checks the role, then the input.
 * The command itself checks the object and its state (note 0023).
 *
 * @throws DomainError RATE_LIMITED, FORBIDDEN, VALIDATION_ERROR, and what the command throws
 */
export async function execute<Access extends keyof CommandContexts, Input, Result>(
  command: Command<Access, Input, Result>,
  ctx: Context,
  sent: unknown,
  call: Call = { id: '' },
): Promise<Result> {
  // with an idempotency key, this was done before the transaction began
  if (!isTransaction(ctx)) await admitWrites(ctx, writesOf(command, sent));
  requireAllowed(ctx, command);
  const scoped = scopedTo(command.access, ctx);
  let fields = isRecord(sent) ? sent : {};
  command.allow?.(scoped, fields);
  let checked = checkInput(command.input, sent);
  const stored = 'issues' in checked && isRecord(sent) ? await command.stored?.(scoped, call) : undefined;
  if (stored) {
    fields = Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== stored[name]));
    checked = checkInput(command.input, fields);
  }
  const further = (await command.check?.(scoped, fields, call, !('issues' in checked))) ?? [];
  const issues = [...('issues' in checked ? checked.issues : []), ...further];
  if (issues.length > 0 || 'issues' in checked) throw faults('VALIDATION_ERROR', issues);
  if (!isTransaction(ctx)) await readAhead(ctx, [command]);
  return await command.run(scoped, checked.value, call);
}

/** Reads what commands need from outside the transaction that is about to begin. */
export async function readAhead(ctx: Context, commands: readonly Needs[]): Promise<void> {
  for (const { ahead } of commands) {
    if (!ahead) continue;
    ctx.ahead ??= new Map();
    ctx.ahead.set(ahead, await ahead(withMembership(ctx)));
  }
}

/** What {@link Command.ahead} has read. */
export function wasRead<Result>({ ahead }: Context, read: ReadAhead<Result>): Result {
  if (!ahead?.has(read)) throw new Error('this was not read before the transaction');
  return ahead.get(read) as Result;
}

/** Counts writes of the viewer against the limit. @throws DomainError RATE_LIMITED; FORBIDDEN for an API key that only reads */
export async function admitWrites(ctx: Context, writes: number): Promise<void> {
  const { viewer } = ctx;
  if (viewer) {
    const own: LimitKey = { rule: 'write', key: viewer.userId };
    const keys: LimitKey[] = viewer.key ? [own, { rule: 'key_writes', key: viewer.key.organizationId }] : [own];
    for (let count = 0; count < writes; count += 1) await spend(ctx, ...keys);
  }
  requireWriter(ctx);
}

export function writesOf({ writes }: Pick<AnyCommand, 'writes'>, sent: unknown): number {
  return writes?.(isRecord(sent) ? sent : {}) ?? 1;
}

function requireWriter({ viewer }: Context): void {
  if (viewer?.key?.access === 'read') throw new DomainError('FORBIDDEN', { detail: 'This API key may only read.' });
}

export type Runnable<Access extends keyof CommandContexts> = Pick<
  Command<Access, unknown, unknown>,
  'access' | 'role' | 'people' | 'allow'
>;

/** What {@link execute} refuses whatever the input. @throws DomainError FORBIDDEN */
export function requireRunnable<Access extends keyof CommandContexts>(ctx: Context, command: Runnable<Access>): void {
  requireWriter(ctx);
  requireAllowed(ctx, command);
  command.allow?.(scopedTo(command.access, ctx), {});
}

/** What a command requires of its viewer. */
export type Needs = Partial<Pick<AnyCommand, 'access' | 'role' | 'people' | 'keys' | 'ahead'>>;

/** @throws DomainError FORBIDDEN if the viewer may not run the command */
export function requireAllowed(ctx: Context, { access, role, people, keys }: Needs): void {
  if (isAllowedKey(ctx, keys)) return;
  if (people || access === 'user') withPerson(ctx);
  if (role) requireRole(ctx, role);
}

function scopedTo<Access extends keyof CommandContexts>(access: Access, ctx: Context): CommandContexts[Access] {
  return (access === 'organization' ? withMembership(ctx) : withPerson(ctx)) as CommandContexts[Access];
}
