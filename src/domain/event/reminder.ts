import sql from 'sql-template-tag';
import { fanOutNotice } from '../mail/event-notice.ts';
import type { Transaction } from '../transaction.ts';
import { type Event, eventStatuses } from './event.entity.ts';

/** A reminder is sent this long before the start. */
const leadMilliseconds = 24 * 60 * 60 * 1000;

/** Suppresses the reminder of an event that becomes active, or moves, less than the lead time before its start. */
export function withholdLateReminder(event: Event, now: Date): void {
  if (event.status !== eventStatuses.ACTIVE) return;
  if (event.dateStart.getTime() - now.getTime() < leadMilliseconds) event.remindedStart = event.dateStart;
}

/**
 * Queues due reminders: for each active event that starts within 24 hours, to everyone accepted, once per start
 * (decisions §9). Several processes may do so at once: each takes events that no other has locked.
 */
export async function queueDueReminders(tx: Pick<Transaction, 'db'>): Promise<void> {
  const due = await tx.db.rows<{ id: string }>(sql`update event set reminded_start = date_start where id in (
          select id from event where status = ${eventStatuses.ACTIVE} and date_start > now()
            and date_start <= now() + make_interval(secs => ${leadMilliseconds / 1000})
            and reminded_start is distinct from date_start
          order by id limit 100 for update skip locked
        ) returning id`);
  for (const { id } of due) await fanOutNotice(tx, id, 'reminder', ['accepted']);
}
