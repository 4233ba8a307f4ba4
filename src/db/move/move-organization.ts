import type { PoolClient } from 'pg';
import { deleteMoved, leavePlace } from '../../domain/leaving/leave-place.ts';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { postgresServers } from '../../kernel/network/postgres-servers.ts';
import { inTransaction, withClient } from '../client.ts';
import { conflictOf, findMove, lockMove, type Move, requireFit } from './checks.ts';
import { copyOrganization } from './copy-organization.ts';
import { lowerFence, raiseFence, waitForJobs } from './fence.ts';
import { findConflicts } from './people.ts';
import { type OwnedTable, ownedTables } from './tables.ts';

export interface Wanted {
  /** The id or the slug. */
  given: string;
  /** The connection string of the other database. */
  to: string;
  /** Where clients reach the service of the other database; null to cancel the move. */
  address: string | null;
}

export interface MoveTools {
  /** This database, without a pooler. */
  directUrl: string;
  report(line: string): void;
}

/** What a move did; `fenced` is how many milliseconds writes were refused. */
export interface Moved {
  id: string;
  address: string;
  rows: number;
  fenced: number;
}

/**
 * Moves an organization to the database of another service, while it is written to (docs/operations/scale.md#moving-an-organization). Each
 * step can be interrupted: run again, it goes on where it was.
 *
 * @throws DomainError NOT_FOUND; Error with the reason, and with what to do if the organization is behind its fence
 */
export async function moveOrganization(
  ctx: Context,
  { given, to, address }: Wanted & { address: string },
  { directUrl, report }: MoveTools,
): Promise<Moved> {
  return await withBoth(directUrl, to, async (source, target) => {
    const found = await findMove(source, given);
    const { id } = found;
    await lockMove(source, id);
    const tables = await ownedTables(source);
    const move = found.move ?? (await begin(source, target, { id, address, tables, target: targetOf(to) }));
    requireSame(move, to);
    try {
      const copied = found.isHere ? await bring(source, target, { id, tables, report }) : null;
      if (found.isHere) await leavePlace(ctx, id, move.address);
      const fenced = copied ? performance.now() - copied.since : 0;
      report('The other database has it. Deleting it here …');
      await deleteMoved(ctx, id);
      await lowerFence(source, id);
      await source.query('delete from organization_move where id = $1', [id]);
      return { id, address: move.address, rows: copied?.rows ?? 0, fenced: Math.round(fenced) };
    } catch (error) {
      throw new Error(
        `${error instanceof Error ? error.message : error}
The move has begun, and writes to the organization are refused here. Run this again to go on, or with --cancel to open it again.`,
        { cause: error },
      );
    }
  });
}

/** Opens an organization again whose move has not come to the other database. Returns its id. */
export async function cancelMove({ given, to }: Wanted, { directUrl }: MoveTools): Promise<string> {
  return await withBoth(directUrl, to, async (source, target) => {
    const { id, move, isHere } = await findMove(source, given);
    if (!move) throw new DomainError('CONFLICT', { detail: 'It is not being moved.' });
    await lockMove(source, id);
    requireSame(move, to);
    const hasArrived = await inTransaction(target, () => arrived(target, id));
    if (hasArrived || !isHere) {
      throw new DomainError('CONFLICT', {
        detail: 'The other database has it already, so it can only go on: run this without --cancel.',
      });
    }
    await lowerFence(source, id);
    await inTransaction(source, async () => {
      // of what was committed before the fence, processes were told while they passed over the organization
      await source.query('update webhook set unread = true where organization_id = $1', [id]);
      await source.query('delete from organization_move where id = $1', [id]);
    });
    return id;
  });
}

interface Begun {
  id: string;
  address: string;
  target: string;
  tables: readonly OwnedTable[];
}

/** Checks what can be checked before anything changes, and then says so to the jobs of all processes. */
async function begin(source: PoolClient, target: PoolClient, { id, address, tables, target: name }: Begun) {
  await requireFit(source, target, { id, tables });
  await source.query('insert into organization_move (id, target, address) values ($1, $2, $3)', [id, name, address]);
  return { target: name, address };
}

interface Bringing {
  id: string;
  tables: readonly OwnedTable[];
  report: MoveTools['report'];
}

/** Copies an organization behind its fence, unless an earlier run has done so. Returns how many rows, and since when writes are refused. */
async function bring(source: PoolClient, target: PoolClient, { id, tables, report }: Bringing) {
  report('Waiting for what is under way …');
  await waitForJobs(source, id);
  const since = performance.now();
  await raiseFence(source, tables, id);
  report('Writes are refused. Copying …');
  const { rows: times } = await source.query<{ now: Date }>('select clock_timestamp() as now');
  const began = new Date((times[0] as { now: Date }).now);
  const copied = await inTransaction(target, async () => {
    if (await arrived(target, id)) return {};
    await source.query('begin isolation level repeatable read read only');
    const conflicts = await findConflicts(source, target, id);
    if (conflicts.count > 0) throw conflictOf(conflicts);
    const result = await copyOrganization(source, target, { id, tables, began });
    await source.query('commit');
    return result;
  }).catch(async (error) => {
    await source.query('rollback').catch(() => undefined);
    throw error;
  });
  return { rows: Object.values(copied).reduce((sum, each) => sum + each, 0), since };
}

/** Whether the target has it, once a transaction that may be bringing it is over. Call it in a transaction, which then is the only one. */
async function arrived(target: PoolClient, id: string): Promise<boolean> {
  await target.query(`select pg_advisory_xact_lock(hashtextextended('move ' || $1, 0))`, [id]);
  const { rowCount } = await target.query('select from organization where id = $1', [id]);
  return rowCount === 1;
}

async function withBoth<Result>(
  from: string,
  to: string,
  use: (source: PoolClient, target: PoolClient) => Promise<Result>,
): Promise<Result> {
  return await withClient(from, (source) => withClient(to, (target) => use(source, target)));
}

/** The servers and the name of a database, without what is secret. */
function targetOf(url: string): string {
  const urls = postgresServers(url).urls.map((each) => new URL(each));
  return `${urls
    .map(({ host }) => host)
    .toSorted()
    .join()}${urls[0]?.pathname}`;
}

function requireSame(move: Move, to: string): void {
  if (move.target === targetOf(to)) return;
  throw new DomainError('CONFLICT', { detail: `Its move goes to ${move.target}, not to ${targetOf(to)}.` });
}
