import sql from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { recordEventChange } from '../change/change-log.ts';
import type { Question } from '../form/question.ts';
import type { Event } from './event.entity.ts';

/**
 * How many versions of a form are always kept; older ones are kept while answers refer to them
 * (interface/forms.md#versions).
 */
const keptVersions = 10;

/**
 * Writes a version of the form of an event, which must be locked, and deletes the versions that are too old. The
 * questions are stored once for the organization; the sweep deletes them when no version uses them any more.
 */
export async function writeForm(
  { db }: Pick<Transaction, 'db'>,
  eventId: string,
  { version, questions }: { version: number; questions: readonly Question[] },
): Promise<void> {
  // the update locks existing content, so that the sweep cannot delete it in the meantime
  await db.run(sql`with asked as (select ${JSON.stringify(questions)}::jsonb as questions), content as (
      insert into form_content (organization_id, hash, questions)
      select organization_id, sha256(convert_to(questions::text, 'UTF8')), questions
      from event cross join asked where id = ${eventId}::uuid
      on conflict (organization_id, hash) do update set unused_since = null returning organization_id, hash
    )
    insert into form_version (event_id, version, organization_id, hash)
    select ${eventId}::uuid, ${version}::int, organization_id, hash from content`);
  if (version > keptVersions) await dropVersions(db, eventId, version - keptVersions);
}

/** Deletes the versions up to `last` that no answers of subscriptions or guest requests refer to. */
async function dropVersions(db: Transaction['db'], eventId: string, last: number): Promise<void> {
  const refers = sql`event_id = f.event_id and form_version = f.version`;
  await db.run(sql`delete from form_version f where event_id = ${eventId}::uuid and version <= ${last}
      and not exists (select from subscription where ${refers}) and not exists (select from guest_request where ${refers})`);
}

/** Gives a copy of an event the questions of the original, as the first version of its own form. */
export async function copyForm(tx: Transaction<MemberContext>, original: Event, copy: Event): Promise<void> {
  const copied = await tx.db.row(sql`insert into form_version (event_id, version, organization_id, hash)
      select ${copy.id}::uuid, 1, organization_id, hash from form_version
      where event_id = ${original.id}::uuid order by version desc limit 1 returning 1 as copied`);
  if (!copied) return;
  recordEventChange(tx, copy, { kind: 'form', op: 'created', actorId: tx.viewer.userId, version: 1 });
}
