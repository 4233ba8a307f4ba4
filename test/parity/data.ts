import { randomUUIDv7 } from 'node:crypto';
import { Event, type EventStatus } from '../../src/domain/event/event.entity.ts';
import {
  Subscription,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '../../src/domain/subscription/subscription.entity.ts';
import { createTeam, serveTeam } from '../support/server.ts';

/** Two organizations, one with events and subscriptions in every state, many of them at equal moments. */
export type ParityData = Awaited<ReturnType<typeof serveParityData>>;

export type EventSeed = ReturnType<typeof eventRows>[number];

const words = [
  'Café Müller',
  '100% Vinyl',
  'snake_case meetup',
  'back\\slash',
  'ÉTÉ concert',
  'Jazz Night',
  'jazz brunch',
];

export async function serveParityData() {
  const { server, team } = await serveTeam();
  const { organizationId, ...people } = team;
  const { owner: stranger } = await createTeam(server);
  const { url } = server;
  const askers = { owner: { ...team.owner, url }, manager: { ...team.manager, url }, member: { ...team.member, url } };
  const events = eventRows(130);
  const foreignEvents = eventRows(20).map((row) => ({ ...row, id: randomUUIDv7(), slug: `foreign-${row.slug}` }));
  const em = server.orm.em.fork();
  await em.insertMany(Event, [
    ...events.map((row) => toEvent(row, organizationId)),
    ...foreignEvents.map((row) => toEvent(row, stranger.organizationId)),
  ]);
  /** The event that `subscriptions` are of. */
  const eventId = (events.find((row) => row.status === 1) as EventSeed).id;
  const draftId = (events.find((row) => row.status === 0) as EventSeed).id;
  const userIds = Object.values(people).map(({ userId }) => userId);
  const subscriptions = subscriptionRows(140, eventId, userIds);
  await em.insertMany(
    Subscription,
    subscriptions.map((row) => ({ ...row, organization_id: organizationId, answers: null })),
  );
  return { server, askers, foreigner: { ...stranger, url }, events, eventId, draftId, subscriptions };
}

/** Deterministic but for the ids; every third event starts when another does. */
export function eventRows(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const start = Date.parse('2026-06-01T10:00:00.000Z') + Math.floor(index / 3) * 3_599_999;
    return {
      id: randomUUIDv7() as string,
      name: `${words[index % words.length]} ${index}`,
      slug: `event-${index}`,
      ...{ status: (index % 4) as EventStatus, waiting_list: true },
      date_start: new Date(start).toISOString(),
      date_end: new Date(start + (index % 5) * 1_800_000).toISOString(),
      capacity: index % 6 === 0 ? null : (index % 7) * 10,
      visibility: index % 2 === 0 ? ('public' as const) : ('organization' as const),
      registration: (['open', 'approval', 'closed'] as const)[index % 3] as 'open' | 'approval' | 'closed',
      created_at: new Date(Date.parse('2026-01-01T00:00:00Z') + Math.floor(index / 10) * 1000).toISOString(),
      updated_at: new Date(Date.parse('2026-02-01T00:00:00Z') + index).toISOString(),
    };
  });
}

export const toEvent = (row: EventSeed, organization_id: string) => ({
  ...row,
  ...{ organization_id, timezone: 'UTC', accepted_count: 0 },
});

function subscriptionRows(count: number, eventId: string, userIds: string[]) {
  return Array.from({ length: count }, (_, index) => {
    const created = new Date(Date.parse('2026-03-01T00:00:00Z') + Math.floor(index / 4) * 500).toISOString();
    return {
      id: randomUUIDv7() as string,
      event_id: eventId,
      user_id: userIds[index % userIds.length] as string,
      status: subscriptionStatuses[index % 5] as SubscriptionStatus,
      checked_in_at: index % 3 === 0 ? null : created,
      created_at: created,
      updated_at: created,
    };
  });
}
