import sql from 'sql-template-tag';
import { piece, prepared } from '../../engine/statement.ts';
import { tables } from '../tables/tables.ts';
import { type DueScope, duePage, forEachDueEvent } from './due-events.ts';
import { eventStatuses } from './event.entity.ts';
import { fanOutNotice } from './fan-out-notice.ts';

/** How many hours before the start a reminder is sent. */
export const reminderHours = 24;
/** A start that moves by less than this needs no second reminder. */
const sameStartSeconds = 60 * 60;

const isDue = sql`status = ${eventStatuses.ACTIVE} and date_start > now()
  and date_start <= now() + make_interval(hours => ${reminderHours})
  and (reminded_start is null or abs(extract(epoch from date_start - reminded_start)) >= ${sameStartSeconds})`;

const dueAfter = prepared((at: { id: string }) =>
  tables
    .selectFrom('event')
    .select('id')
    .where(piece<boolean>(isDue))
    .where('id', '>', at.id)
    .orderBy('id')
    .limit((eb) => eb.lit(duePage)),
);

/**
 * Queues due reminders: for each active event that starts within 24 hours, to everyone accepted, once per start
 * (interface/subscriptions.md#mails). A start that moved by less than an hour is still the same. Several processes may
 * do so at once: each takes events that no other has locked. Returns whether there were any.
 */
export async function queueDueReminders(scope: DueScope): Promise<boolean> {
  const page = (id: string) => scope.db.rows(dueAfter({ id }));
  return await forEachDueEvent(scope, page, async (tx, id) => {
    const due = await tx.db.row(sql`update event set reminded_start = date_start where id = (
        select id from event where id = ${id}::uuid and ${isDue} for update skip locked
      ) returning id`);
    if (due) await fanOutNotice(tx, id, 'reminder', { reminder: false });
  });
}
