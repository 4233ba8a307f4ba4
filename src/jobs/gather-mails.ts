import { sql } from 'kysely';
import { built, prepared } from '#postgres-access';
import { digestKind, digestSql } from '../domain/subscription/queue-mails.ts';
import type { Database } from '../engine/database.ts';
import { jobs } from '../engine/jobs/job.table.ts';
import type { ClaimedJob } from '../engine/jobs/job-queue.ts';

/** A mail about subscriptions. */
type UnsentMail = Pick<ClaimedJob, 'id' | 'attempts' | 'party' | 'key'>;

/** Merges an unsent mail, and all others that wait for its recipient, into one digest, which is due in `seconds`. */
export async function gatherMails(db: Database, mail: UnsentMail, seconds: number): Promise<void> {
  // a statement that began before this commit did not see the digest, and may have queued another mail
  do await gather(db, mail, seconds);
  while (await db.row(waitingMail(mail)));
}

async function gather(db: Database, mail: UnsentMail, seconds: number): Promise<void> {
  const { party, key } = mail;
  await db.transaction(async (unit) => {
    const gathered = await unit.rows(takenMails(mail));
    const topics = gathered.flatMap(({ about, data: { told = { status: null } } }) =>
      Object.entries(told).map(([key, value]) => [about === null ? key : `${about}:${key}`, value] as const),
    );
    if (topics.length === 0) return;
    const rows = sql`select ${party}::uuid as organization_id, ${key}::uuid as recipient, own, key, value,
        date_trunc('milliseconds', now() + make_interval(secs => ${seconds})) as due_at
      from unnest(${topics.map(([key]) => key)}::text[], ${topics.map(([, value]) => JSON.stringify(value))}::jsonb[])
        with ordinality as topic (key, value, own)`;
    // at the position of the first, and with what the recipient knew before it
    await unit.rows(built(digestSql(rows, { position: gathered[0]?.position, known: 'first' })));
  });
}

const takenMails = prepared((at: UnsentMail) =>
  jobs
    .with('gone', (db) =>
      db
        .deleteFrom('job')
        .where('party', '=', at.party)
        .where('key', '=', at.key)
        .where('due_at', 'is not', null)
        .where((eb) =>
          eb.or([eb('attempts', '=', eb.lit(0)), eb.and([eb('id', '=', at.id), eb('attempts', '=', at.attempts)])]),
        )
        .returning(['about', sql<{ told?: object }>`data`.as('data'), 'position', 'id']),
    )
    .selectFrom('gone')
    .select(['about', 'data', sql<string>`gone.position::text`.as('position')])
    .orderBy('gone.position')
    .orderBy('id'),
);

const waitingMail = prepared((at: UnsentMail) =>
  jobs
    .selectFrom('job')
    .select([])
    .where('party', '=', at.party)
    .where('key', '=', at.key)
    .where('due_at', 'is not', null)
    .where('attempts', '=', (eb) => eb.lit(0))
    .where('kind', '<>', digestKind)
    .limit((eb) => eb.lit(1)),
);
