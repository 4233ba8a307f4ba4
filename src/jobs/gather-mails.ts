import sql from 'sql-template-tag';
import { digestKind, digestSql } from '../domain/subscription/queue-mails.ts';
import type { Database } from '../engine/database.ts';
import type { ClaimedJob } from '../engine/jobs/job-queue.ts';

/** A mail about subscriptions. */
type Postponed = Pick<ClaimedJob, 'id' | 'attempts' | 'party' | 'key'>;

/** Merges an unsent mail, and all others that wait for its recipient, into one digest, which is due in `seconds`. */
export async function gatherMails(db: Database, mail: Postponed, seconds: number): Promise<void> {
  // a statement that began before this commit did not see the digest, and may have queued another mail
  do await gather(db, mail, seconds);
  while (await hasOthers(db, mail));
}

async function gather(db: Database, mail: Postponed, seconds: number): Promise<void> {
  const { id, party, key, attempts } = mail;
  const own = ownSql(mail);
  await db.transaction(async (unit) => {
    const gathered = await unit.rows<{
      about: string | null;
      data: { told?: object };
      position: string;
    }>(sql`with gone as (
          delete from job where ${own}
            and due_at is not null and (attempts = 0 or (id = ${id}::uuid and attempts = ${attempts}))
          returning about, data, position, id
        )
        -- the number: \`position\` alone is the text of the result
        select about, data, position::text from gone order by gone.position, id`);
    const topics = gathered.flatMap(({ about, data: { told = { status: null } } }) =>
      Object.entries(told).map(([key, value]) => [about === null ? key : `${about}:${key}`, value] as const),
    );
    if (topics.length === 0) return;
    const rows = sql`select ${party}::uuid as organization_id, ${key}::uuid as recipient, own, key, value,
        date_trunc('milliseconds', now() + make_interval(secs => ${seconds})) as due_at
      from unnest(${topics.map(([key]) => key)}::text[], ${topics.map(([, value]) => JSON.stringify(value))}::jsonb[])
        with ordinality as topic (key, value, own)`;
    // at the position of the first, and with what the recipient knew before it
    await unit.rows(digestSql(rows, { position: gathered[0]?.position, known: 'first' }));
  });
}

async function hasOthers(db: Database, mail: Postponed): Promise<boolean> {
  const other = await db.row(
    sql`select from job where ${ownSql(mail)} and due_at is not null and attempts = 0 and kind <> ${digestKind} limit 1`,
  );
  return other !== undefined;
}

const ownSql = ({ party, key }: Postponed) => sql`party = ${party}::uuid and key = ${key}`;
