import sql, { raw, type Sql } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import { requireStillManager } from '../../engine/memberships.ts';
import { answers, type Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/request.ts';
import { isoTimestamp, parseUuid } from '../../kernel/scalars.ts';
import { Event, eventStatuses } from './event.entity.ts';

/**
 * Locks an event that the viewer may see until the end of the transaction. Every change of an event or of its
 * subscriptions takes this lock: what is read under it cannot change, so no place is given twice.
 *
 * @param id as the client sent it
 * @throws DomainError NOT_FOUND if it is unknown or not visible to the viewer; FORBIDDEN, ORGANIZATION_FORBIDDEN if the
 * viewer is no longer a manager
 */
export async function lockEvent(tx: Transaction<MemberContext>, id: string): Promise<Event> {
  const locked = lockRow(tx, id, sql`*`);
  const [, row] = await answers(requireStillManager(tx), locked);
  return tx.em.map(Event, row);
}

/** The columns of an event that decide about new subscriptions, and that the log of changes tells of them. */
export type EventPlaces = Pick<Event, (typeof placeColumns)[number]>;

export const placeColumns = [
  'id',
  'organization_id',
  'status',
  'registration',
  'date_end',
  'capacity',
  'accepted_count',
  'waiting_list',
  'version',
] as const;

/** Like {@link lockEvent}, for a transaction that does not change the event itself. */
export async function lockEventPlaces(tx: Transaction<MemberContext>, id: string): Promise<EventPlaces> {
  const places = await lockRow(tx, id, raw(placeColumns.join(', ')));
  return { ...places, date_end: isoTimestamp(places.date_end) };
}

async function lockRow(tx: Transaction<MemberContext>, id: string, columns: Sql): Promise<EventPlaces> {
  const uuid = parseUuid(id);
  if (uuid === null) throw new DomainError('NOT_FOUND');
  const event = await tx.db.row<EventPlaces>(sql`select ${columns} from event
      where id = ${uuid}::uuid and organization_id = ${tx.membership.organizationId}::uuid for update`);
  if (!event || (event.status === eventStatuses.DRAFT && !isManager(tx.membership))) throw new DomainError('NOT_FOUND');
  return event;
}
