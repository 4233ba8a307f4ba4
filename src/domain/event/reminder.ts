import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import { tables } from '../tables/tables.ts';
import { type DueScope, duePage, forEachDueEvent } from './due-events.ts';
import { eventStatuses } from './event.entity.ts';
import { fanOutNotice } from './fan-out-notice.ts';

export const reminderHours = 24;
/** A smaller move of the start needs no second reminder. */
const sameStartSeconds = 60 * 60;

const isDue = sql<boolean>`status = ${sql.lit(eventStatuses.ACTIVE)} and date_start > now()
  and date_start <= now() + make_interval(hours => ${sql.lit(reminderHours)})
  and (reminded_start is null or abs(extract(epoch from date_start - reminded_start)) >= ${sql.lit(sameStartSeconds)})`;

const dueAfter = prepared((at: { id: string }) =>
  tables.selectFrom('event').select('id').where(isDue).where('id', '>', at.id).orderBy('id').limit(sql.lit(duePage)),
);

const takeDue = prepared((at: { id: string }) =>
  tables
    .updateTable('event')
    .set((eb) => ({ reminded_start: eb.ref('date_start') }))
    .where('id', '=', (eb) =>
      eb.selectFrom('event').select('id').where('id', '=', at.id).where(isDue).forUpdate().skipLocked(),
    )
    .returning('id'),
);

/**
 * Queues due reminders, to everyone accepted, once per start (reference/subscriptions.md#mails). Several processes may do so
 * at once: each takes events that no other has locked. Returns whether any were due.
 */
export async function queueDueReminders(scope: DueScope): Promise<boolean> {
  const page = (id: string) => scope.db.rows(dueAfter({ id }));
  return await forEachDueEvent(scope, page, async (tx, id) => {
    if (await tx.db.row(takeDue({ id }))) await fanOutNotice(tx, id, 'reminder', { reminder: false });
  });
}
