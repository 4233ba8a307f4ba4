import type { PoolClient } from 'pg';
import { DomainError } from '../../kernel/errors.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { type AddressConflicts, findConflicts } from './people.ts';
import type { OwnedTable } from './tables.ts';

/** A move that has begun and not ended. */
export interface Move {
  target: string;
  address: string;
}

/** An organization that is to move, or whose move was interrupted. */
export interface Found {
  id: string;
  move: Move | null;
  /** Whether it still lives here; otherwise its rows are being deleted. */
  isHere: boolean;
}

/** @throws DomainError NOT_FOUND; CONFLICT if it has moved */
export async function findMove(source: PoolClient, given: string): Promise<Found> {
  const { rows } = await source.query<{
    id: string;
    target: string | null;
    address: string | null;
    placed: string | null;
    here: boolean;
  }>(
    `select k.id, m.target, m.address, p.address as placed, o.id is not null and o.deleted_at is null as here
      from (select id from organization where id = $1 or slug = $2 and deleted_at is null
        union select id from organization_place where id = $1 or slug = $2) k
      left join organization o on o.id = k.id left join organization_move m on m.id = k.id
      left join organization_place p on p.id = k.id
      order by here desc limit 1`,
    [parseUuid(given), given],
  );
  const [row] = rows;
  if (!row || !(row.here || row.placed)) throw new DomainError('NOT_FOUND');
  const { id, target, address, placed, here } = row;
  if (!here && target === null) throw new DomainError('CONFLICT', { detail: `It has moved: it is at ${placed} now.` });
  return { id, move: target === null ? null : { target, address: address ?? '' }, isHere: here };
}

/** Until the connection ends. @throws DomainError CONFLICT if another process moves it */
export async function lockMove(source: PoolClient, id: string): Promise<void> {
  const { rows } = await source.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('move ' || $1, 0)) as taken`,
    [id],
  );
  if (!rows[0]?.taken) throw new DomainError('CONFLICT', { detail: 'Another process is moving it.' });
}

/** Checks that an organization can move to a database. @throws DomainError CONFLICT with the reason; nothing was changed */
export async function requireFit(
  source: PoolClient,
  target: PoolClient,
  { id, tables }: { id: string; tables: readonly OwnedTable[] },
): Promise<void> {
  const refuse = (detail: string) => new DomainError('CONFLICT', { detail });
  const names = tables.map(({ name }) => name);
  if (!(await owns(source, names)))
    throw refuse('Run this as the role that owns the tables: only that can put triggers on them.');
  if (!(await owns(target, names)))
    throw refuse(
      'Name the other database as the role that owns the tables: others may see or write only a part of them.',
    );
  const [ours, theirs] = [await migrationsOf(source), await migrationsOf(target)];
  if (ours !== theirs) throw refuse('The other database is of another version: upgrade both services first.');
  const { rows } = await source.query<{ slug: string }>('select slug from organization where id = $1', [id]);
  const { rows: taken } = await target.query<{ id: string }>(
    'select id from organization where id = $1 or slug = $2 order by id = $1 desc',
    [id, rows[0]?.slug],
  );
  if (taken[0]?.id === id)
    throw refuse('The other database has an organization with this id, or is still deleting it.');
  if (taken.length > 0) throw refuse(`The other database has an organization with the slug ${rows[0]?.slug}.`);
  await target.query('begin');
  const conflicts = await findConflicts(source, target, id);
  await target.query('rollback');
  if (conflicts.count > 0) throw conflictOf(conflicts);
}

/** Whether the role of a connection owns those of these tables that there are. */
async function owns(client: PoolClient, tables: readonly string[]): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_class where relname = any($1) and relnamespace = 'public'::regnamespace and not pg_has_role(relowner, 'usage')`,
    [tables],
  );
  return rowCount === 0;
}

async function migrationsOf(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations order by name');
  return rows.map(({ name }) => name).join();
}

/** A refusal that says how many addresses are taken, and some of them. */
export function conflictOf({ count, addresses }: AddressConflicts): DomainError {
  const more = count > addresses.length ? ' …' : '';
  return new DomainError('CONFLICT', {
    detail: `${count} addresses belong to other accounts in the other database: ${addresses.join(', ')}${more}`,
  });
}
