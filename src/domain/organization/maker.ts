import { hash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { countedMailbox } from '#input-values';
import { built } from '#postgres-access';
import type { UnitOfWork } from '../../engine/database.ts';
import { tables } from '../tables/tables.ts';

/**
 * Identifies who creates organizations, for limits: the mailbox, since a person can have many accounts with one. A UUID that
 * does not reveal the address.
 */
export function makerIdOf(email: string): string {
  return hash('sha256', `maker ${countedMailbox(email)}`)
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Anonymizes the maker once no account has the mailbox; the organizations still count together. */
export async function forgetMaker(db: UnitOfWork, { id, email }: { id: string; email: string }): Promise<void> {
  const mailbox = countedMailbox(email);
  const [name = '', domain = ''] = mailbox.split('@');
  const others = tables
    .selectFrom('user')
    .where('id', '<>', id)
    .where(
      sql<boolean>`(mailbox = ${mailbox} or starts_with(mailbox, ${`${name}+`}) and split_part(mailbox, '@', 2) = ${domain})`,
    );
  const unknown = tables
    .updateTable('organization')
    .set({ maker_id: randomUUID() })
    .where('maker_id', '=', makerIdOf(email))
    .where(({ not, exists }) => not(exists(others)));
  // not prepared: only with the values does an index serve the prefix
  await db.run(built(unknown));
}
