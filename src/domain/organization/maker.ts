import { createHash, randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { UnitOfWork } from '../../engine/database.ts';
import { countedMailbox } from '../../kernel/input/email-address.ts';

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
  await db.run(sql`update organization set maker_id = ${randomUUID()}::uuid where maker_id = ${makerIdOf(email)}::uuid and not exists (
      select from "user" where id <> ${id}::uuid
        and (mailbox = ${mailbox} or starts_with(mailbox, ${`${name}+`}) and split_part(mailbox, '@', 2) = ${domain})
    )`);
}
