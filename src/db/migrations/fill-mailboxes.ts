import type { Migration } from '@mikro-orm/migrations';
import { mailboxOf } from '../../kernel/input/email-address.ts';

type Execute = Migration['execute'];

/** The number of rows in one statement; others wait for its locks. */
const batch = 5_000;

/**
 * Computes the mailbox of every row that has none, in short statements; can be repeated. If several rows have the same
 * mailbox, one keeps it, and the others get their id instead, which nobody can type (note 0055).
 */
export async function fillMailboxes(execute: Execute): Promise<void> {
  for (const table of ['user', 'invitation'] as const) {
    await fillAscii(execute, table);
    await fillOthers(execute, table);
  }
  // the proven account, or else the older one
  await settle(execute, 'user', '"mailbox"', '("verified_at" is null), "created_at", "id"');
  // the newer invitation, which would have replaced the older
  await settle(execute, 'invitation', '"organization_id", "mailbox"', '"created_at" desc, "id" desc');
}

async function fillAscii(execute: Execute, table: string): Promise<void> {
  const fill = () =>
    execute(`update "${table}" set "mailbox" = lower("email" collate "C") where "id" in (
        select "id" from "${table}" where "mailbox" is null and octet_length("email") = char_length("email") limit ${batch}
      ) returning "id"`);
  while ((await fill()).length > 0);
}

async function fillOthers(execute: Execute, table: string): Promise<void> {
  for (;;) {
    const rows = (await execute(`select "id", "email" from "${table}" where "mailbox" is null limit ${batch}`)) as {
      id: string;
      email: string;
    }[];
    if (rows.length === 0) return;
    const given = rows.map(({ id, email }) => ({ id, mailbox: storable(mailboxOf(email)) ?? id }));
    await execute(
      `update "${table}" t set "mailbox" = given.mailbox
        from jsonb_to_recordset(?::jsonb) as given (id uuid, mailbox text) where t."id" = given.id`,
      [JSON.stringify(given)],
    );
  }
}

/** Null for an address that no mail can reach: its domain is too long in ASCII, which earlier versions accepted. */
function storable(mailbox: string): string | null {
  return [...mailbox].length <= 400 ? mailbox : null;
}

async function settle(execute: Execute, table: string, key: string, order: string): Promise<void> {
  await execute(`update "${table}" t set "mailbox" = t."id"::text
    from (select "id", row_number() over (partition by ${key} order by ${order}) as place from "${table}"
      where (${key}) in (select ${key} from "${table}" group by ${key} having count(*) > 1)) ranked
    where t."id" = ranked."id" and ranked.place > 1`);
}
