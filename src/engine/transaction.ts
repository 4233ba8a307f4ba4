import type { EntityManager } from '@mikro-orm/postgresql';
import { clientNetworks } from '../kernel/limits/client-network.ts';
import type { Payer } from '../kernel/limits/kept-bytes.ts';
import type { Requester } from '../kernel/request.ts';
import type { Context } from './context.ts';
import type { UnitOfWork } from './database.ts';
import { Loaders } from './loaders.ts';

/**
 * The context of one transaction: its unit of work, loaders and reads see what it has written. Functions that must run with
 * a change (audit, mail, history) take this type, so that they cannot be called outside a transaction.
 */
export type Transaction<C extends Context = Context> = C & {
  readonly db: UnitOfWork;
  /** The unit of work: changes to what it loads or persists are written at the commit at the latest. */
  readonly em: EntityManager;
  /** Runs a job after the commit, and never if the transaction is rolled back. */
  afterCommit(job: () => void): void;
  /** Who pays for the bytes that it writes. */
  readonly payers: Payer[];
};

/**
 * Runs `work` in one transaction when its turn comes, and retries it if PostgreSQL aborted it to resolve a deadlock. Its
 * statements have longer time-outs than reads, and the configured lock timeout. Afterwards the loaders of the request are
 * cleared. Inside another transaction it is part of that one.
 *
 * The bytes that it writes are counted for whoever makes the request, whether they are committed or not
 * (note 0056).
 *
 * @param alsoPays who pays besides
 * @throws DomainError RATE_LIMITED if one of them has written too much; and what `work` throws
 */
export async function transaction<C extends Context, Result>(
  ctx: C,
  work: (tx: Transaction<C>) => Promise<Result>,
  alsoPays: readonly Payer[] = [],
): Promise<Result> {
  return await run(ctx, work, { alsoPays, needsRoom: true });
}

/**
 * The same for what keeps a few rows and has a limit by number: who has access. It is counted, and is never put off for what
 * was written before: the bytes of somebody else, or of a thief, must not keep anybody from ending that one's access.
 */
export async function smallTransaction<C extends Context, Result>(
  ctx: C,
  work: (tx: Transaction<C>) => Promise<Result>,
): Promise<Result> {
  return await run(ctx, work, { alsoPays: [], needsRoom: false });
}

async function run<C extends Context, Result>(
  ctx: C,
  work: (tx: Transaction<C>) => Promise<Result>,
  { alsoPays, needsRoom }: { alsoPays: readonly Payer[]; needsRoom: boolean },
): Promise<Result> {
  const { keptBytes } = ctx.services.limits;
  if (isTransaction(ctx)) {
    requireRoom(ctx, alsoPays);
    ctx.payers.push(...alsoPays);
    return await work(ctx);
  }
  const jobs: (() => void)[] = [];
  const payers = [...payersOf(ctx), ...alsoPays];
  let unit: UnitOfWork | undefined;
  try {
    const result = await ctx.db.transaction(async (db) => {
      // once its turn has come: those before it have been counted
      if (needsRoom) requireRoom(ctx, payers);
      unit = db;
      jobs.length = 0;
      const afterCommit = (job: () => void) => void jobs.push(job);
      return await work({ ...ctx, db, em: db.em, loaders: new Loaders(), afterCommit, payers });
    });
    for (const job of jobs) job();
    return result;
  } finally {
    keptBytes.spend(payers, unit?.writtenBytes ?? 0);
    ctx.loaders.clear();
  }
}

/** How many customers the larger networks of an IPv6 address count as, narrowest first. */
const networkShares = [1, 2, 5];

/**
 * Who pays for what the writes of a request keep: its user and organization or, for a stranger, the networks. The members
 * together have half of their organization's bytes: anybody may join one that is open, and none of them may stop its managers.
 */
export function payersOf({ viewer, membership, client }: Pick<Requester, 'viewer' | 'membership' | 'client'>): Payer[] {
  if (!viewer)
    return clientNetworks(client.ip).map((id, index) => ({ kind: 'network', id, times: networkShares[index] ?? 1 }));
  const user: Payer = { kind: 'user', id: viewer.userId };
  if (!membership) return [user];
  const { organizationId: id, role } = membership;
  const organization: Payer = { kind: 'organization', id };
  return role === 'member' ? [user, organization, { kind: 'members', id, times: 1 / 2 }] : [user, organization];
}

/** @throws DomainError RATE_LIMITED if one of them has written too much, which the log shows */
function requireRoom({ services, client, log }: Context, payers: readonly Payer[]): void {
  try {
    services.limits.keptBytes.requireRoom(payers);
  } catch (error) {
    log.warn({ requestId: client.requestId, payers, err: error }, 'the bytes that may be written are used up');
    throw error;
  }
}

/**
 * The answers to statements that were sent together, in one round trip. If several of them fail, throws the error of the
 * first, as if each one had waited for the one before it.
 */
export async function answers<const Given extends readonly unknown[]>(
  ...sent: Given
): Promise<{ -readonly [Index in keyof Given]: Awaited<Given[Index]> }> {
  await Promise.allSettled(sent);
  return await Promise.all(sent);
}

/** Runs a job once what was written is committed: at once outside a transaction, after the commit inside one. */
export function afterCommit<C extends Context>(ctx: C | Transaction<C>, job: () => void): void {
  if (isTransaction(ctx)) ctx.afterCommit(job);
  else job();
}

/** Whether a context is that of a transaction. */
export function isTransaction<C extends Context>(ctx: C | Transaction<C>): ctx is Transaction<C> {
  return 'afterCommit' in ctx;
}
