import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { UnitOfWork } from '../../engine/database.ts';
import { built } from '../../engine/statement.ts';
import { countedMailbox } from '../../kernel/input/email-address.ts';
import { tables } from '../tables/tables.ts';

/**
 * Who creates organizations, as limits know it: the mailbox, since one person can have many accounts with one. In the form of a UUID, from
 * which the address cannot be read.
 */
export function makerIdOf(email: string): string {
  const hash = createHash('sha256')
    .update(`maker ${countedMailbox(email)}`)
    .digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Makes the maker of organizations unknown once nobody with the mailbox is left; the organizations still count together. */
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
