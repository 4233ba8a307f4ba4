import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { recordEventChange } from '../change/change-log.ts';
import type { Question } from '../form/question.ts';
import { tables } from '../tables/tables.ts';
import type { Event } from './event.entity.ts';

/** Versions that are always kept; older ones are kept while answers refer to them (reference/forms.md#versions). */
const keptVersions = 10;

// a text: a common table expression inserts the content unless it exists; its lock keeps the sweep from deleting it
const insertForm = prepared(
  (at: { eventId: string; version: number; questions: string }) => sql<never>`with content as (
      insert into form_content (organization_id, hash, questions)
      select organization_id, sha256(convert_to(asked::text, 'UTF8')), asked
      from event cross join (select ${at.questions}::jsonb as asked) given where id = ${at.eventId}::uuid
      on conflict (organization_id, hash) do update set unused_since = null returning organization_id, hash
    )
    insert into form_version (event_id, version, organization_id, hash)
    select ${at.eventId}::uuid, ${at.version}::int, organization_id, hash from content`,
);

/**
 * Writes a version of the form of a locked event, and deletes versions that are too old. The same questions are stored once for
 * the organization, until no version uses them.
 */
export async function writeForm(
  { db }: Pick<Transaction, 'db'>,
  eventId: string,
  { version, questions }: { version: number; questions: readonly Question[] },
): Promise<void> {
  await db.run(insertForm({ eventId, version, questions: JSON.stringify(questions) }));
  if (version > keptVersions) await db.run(dropVersions({ eventId, last: version - keptVersions }));
}

const refers = sql`event_id = f.event_id and form_version = f.version`;

const dropVersions = prepared((at: { eventId: string; last: number }) =>
  tables
    .deleteFrom('form_version as f')
    .where('f.event_id', '=', at.eventId)
    .where('f.version', '<=', at.last)
    .where(
      sql<boolean>`not exists (select from subscription where ${refers}) and not exists (select from guest_request where ${refers})`,
    ),
);

const copyNewest = prepared((at: { original: string; copy: string }) =>
  tables
    .insertInto('form_version')
    .columns(['event_id', 'version', 'organization_id', 'hash'])
    .expression((query) =>
      query
        .selectFrom('form_version')
        .select([sql<string>`${at.copy}::uuid`.as('event_id'), sql.lit(1).as('version'), 'organization_id', 'hash'])
        .where('event_id', '=', at.original)
        .orderBy('form_version.version', 'desc')
        .limit(sql.lit(1)),
    )
    .returning('version'),
);

/** The copy's form starts at version 1. */
export async function copyForm(tx: Transaction<MemberContext>, original: Event, copy: Event): Promise<void> {
  if (!(await tx.db.row(copyNewest({ original: original.id, copy: copy.id })))) return;
  recordEventChange(tx, copy, { kind: 'form', op: 'created', actorId: tx.viewer.userId, version: 1 });
}
