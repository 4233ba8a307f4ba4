import { isoTimestamp, parseUuid } from '#input-values';
import { prepared, type Statement } from '#postgres-access';
import type { MemberContext } from '../../engine/context.ts';
import { answers, type Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/request.ts';
import { requireStillManager } from '../access/memberships.ts';
import type { LoggedEvent } from '../change/change-log.ts';
import { tables } from '../tables/tables.ts';
import { Event, type EventStatus, eventStatuses } from './event.entity.ts';

interface Place {
  id: string;
  organizationId: string;
}

const locked = (at: Place) =>
  tables.selectFrom('event').where('id', '=', at.id).where('organization_id', '=', at.organizationId).forUpdate();

const lockWhole = prepared((at: Place) => locked(at).selectAll());

/**
 * Locks an event that the viewer may see. Every change of an event or of its subscriptions takes this lock, so that no place
 * is given twice.
 * @param id as the client sent it
 * @throws DomainError NOT_FOUND if it is unknown or not visible to the viewer; FORBIDDEN, ORGANIZATION_FORBIDDEN if the
 * viewer is no longer a manager
 */
export async function lockEvent(tx: Transaction<MemberContext>, id: string): Promise<Event> {
  // the lock is sent first, so that later statements see everything committed by then
  const event = lockRow(tx, id, lockWhole);
  const [, row] = await answers(requireStillManager(tx), event);
  return tx.em.map(Event, row);
}

export type EventPlaces = Pick<Event, (typeof spotColumns)[number]>;

export const spotColumns = [
  'id',
  'status',
  'registration',
  'date_end',
  'capacity',
  'accepted_count',
  'waiting_list',
] as const;

/** For a new subscription and its entry in the log of changes. */
export type LockedPlaces = EventPlaces & LoggedEvent;

const lockPlaces = prepared((at: Place) => locked(at).select([...spotColumns, 'organization_id', 'version']));

export async function lockEventPlaces(tx: Transaction<MemberContext>, id: string): Promise<LockedPlaces> {
  const places = await lockRow(tx, id, lockPlaces);
  return { ...places, date_end: isoTimestamp(places.date_end) };
}

async function lockRow<Row extends { status: EventStatus }>(
  tx: Transaction<MemberContext>,
  id: string,
  lock: (place: Place) => Statement<Row>,
): Promise<Row> {
  const uuid = parseUuid(id);
  if (uuid === null) throw new DomainError('NOT_FOUND');
  const event = await tx.db.row(lock({ id: uuid, organizationId: tx.membership.organizationId }));
  if (!event || (event.status === eventStatuses.DRAFT && !isManager(tx.membership))) throw new DomainError('NOT_FOUND');
  return event;
}
