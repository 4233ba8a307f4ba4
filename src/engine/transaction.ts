import type { EntityManager } from '@mikro-orm/postgresql';
import { clientNetworks } from '../kernel/limits/client-network.ts';
import { type Party, partiesOf } from '../kernel/limits/parties.ts';
import type { Requester } from '../kernel/request.ts';
import { type Context, Loaders } from './context.ts';
import type { UnitOfWork } from './database.ts';

/** The context of one transaction. Functions that belong to a change (audit, mail, history) take it, so that none runs outside. */
export type Transaction<C extends Context = Context> = C & {
  readonly db: UnitOfWork;
  /** The unit of work; its changes are written at the commit at the latest. */
  readonly em: EntityManager;
  /** Runs a job right before the commit, once everything else has been written. */
  beforeCommit(job: () => Promise<void>): void;
  afterCommit(job: () => void): void;
  /** Whose quotas the written bytes are counted against. */
  readonly payers: Party[];
  readonly concerns: Set<string>;
};

/**
 * Runs `work` in one transaction when its turn comes, and again after a deadlock; inside another transaction, as part of that
 * one. The written bytes count against the quotas of the request, even after a rollback (note 0056).
 *
 * @param alsoPays additional payers
 * @throws DomainError RATE_LIMITED if a payer has used up its quota; and what `work` throws
 */
export async function transaction<C extends Context, Result>(
  ctx: C,
  work: (tx: Transaction<C>) => Promise<Result>,
  alsoPays: readonly Party[] = [],
): Promise<Result> {
  return await run(ctx, work, { alsoPays, needsRoom: true });
}

/**
 * Like {@link transaction}, for changes of access, which are limited by number. Their bytes are counted, but never refused: a
 * thief who used up the quota must not keep the owner from ending sessions.
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
  { alsoPays, needsRoom }: { alsoPays: readonly Party[]; needsRoom: boolean },
): Promise<Result> {
  const { keptBytes } = ctx.services.limits;
  if (isTransaction(ctx)) {
    requireRoom(ctx, alsoPays);
    ctx.payers.push(...alsoPays);
    return await ctx.db.transaction(() => work(ctx));
  }
  const jobs: (() => void)[] = [];
  const payers = [...payersOf(ctx), ...alsoPays];
  let unit: UnitOfWork | undefined;
  try {
    const result = await ctx.db.transaction(async (db) => {
      // when the turn comes, earlier writes have been counted
      if (needsRoom) requireRoom(ctx, payers);
      unit = db;
      jobs.length = 0;
      const last: (() => Promise<void>)[] = [];
      const beforeCommit = (job: () => Promise<void>) => void last.push(job);
      const afterCommit = (job: () => void) => void jobs.push(job);
      const tx = {
        ...ctx,
        db,
        em: db.em,
        loaders: new Loaders(),
        beforeCommit,
        afterCommit,
        payers,
        concerns: new Set<string>(),
      };
      const result = await work(tx);
      for (const job of last) await job();
      return result;
    });
    for (const job of jobs) job();
    return result;
  } finally {
    keptBytes.spend(payers, unit?.writtenBytes ?? 0);
    ctx.loaders.clear();
  }
}

/** How many times the quota of one network an IPv6 /64, /56 and /48 has. */
const networkShares = [1, 2, 5];

/**
 * Whose quotas the writes of a request count against: its user, its organization and the maker of that or, if nobody is signed
 * in, its networks. All plain members together have half of the organization's quota: anyone may join an open organization,
 * and must not be able to block its managers.
 */
export function payersOf({ viewer, membership, client }: Pick<Requester, 'viewer' | 'membership' | 'client'>): Party[] {
  if (!viewer)
    return clientNetworks(client.ip).map((id, index) => ({ kind: 'network', id, times: networkShares[index] ?? 1 }));
  const user: Party = { kind: 'user', id: viewer.userId };
  if (!membership) return [user];
  const payers = [user, ...partiesOf(membership)];
  if (membership.role === 'member') payers.push({ kind: 'members', id: membership.organizationId, times: 1 / 2 });
  return payers;
}

/** Logs a refusal. @throws DomainError RATE_LIMITED if a payer has used up its quota */
function requireRoom({ services, client, log }: Context, payers: readonly Party[]): void {
  try {
    services.limits.keptBytes.requireRoom(payers);
  } catch (error) {
    log.warn(
      { requestId: client.requestId, payers, err: error },
      'write refused: the quota of written bytes is used up',
    );
    throw error;
  }
}

/** The results of statements that were sent in one round trip; the error is that of the first that failed. */
export async function answers<const Given extends readonly unknown[]>(
  ...sent: Given
): Promise<{ -readonly [Index in keyof Given]: Awaited<Given[Index]> }> {
  await Promise.allSettled(sent);
  return await Promise.all(sent);
}

/** Without a transaction, runs the job at once. */
export function afterCommit(ctx: object, job: () => void): void {
  if ('afterCommit' in ctx) (ctx as Transaction).afterCommit(job);
  else job();
}

export function isTransaction<C extends Context>(ctx: C | Transaction<C>): ctx is Transaction<C> {
  return 'afterCommit' in ctx;
}
