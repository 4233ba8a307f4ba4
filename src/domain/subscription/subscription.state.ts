import type { SubscriptionStatus } from './subscription.entity.ts';

/** Statuses of a live subscription: it has a place, or may still get one (reference/subscriptions.md). */
export const liveStatuses = ['pending', 'accepted', 'waitlisted'] as const satisfies SubscriptionStatus[];
export type LiveStatus = (typeof liveStatuses)[number];

export function isLive(status: SubscriptionStatus): boolean {
  return (liveStatuses as readonly SubscriptionStatus[]).includes(status);
}

type Transitions = Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>>;

/**
 * The changes of status that managers can make (reference/subscriptions.md#changing). Descriptions and tests are
 * generated from these tables.
 */
export const managerTransitions: Transitions = {
  pending: ['accepted', 'waitlisted', 'declined', 'cancelled'],
  accepted: ['pending', 'waitlisted', 'declined', 'cancelled'],
  waitlisted: ['pending', 'accepted', 'declined', 'cancelled'],
  declined: ['pending', 'accepted', 'waitlisted'],
  cancelled: ['pending', 'accepted', 'waitlisted'],
};

/** The changes of status that the holder can make. */
export const holderTransitions: Transitions = {
  pending: ['cancelled'],
  accepted: ['cancelled'],
  waitlisted: ['cancelled'],
  declined: [],
  cancelled: [],
};

/** The tables in words. */
export const describedMoves = `A manager moves it from ${described(managerTransitions)}. Its holder moves it from ${described(holderTransitions)}.`;

function described(transitions: Transitions): string {
  return Object.entries(transitions)
    .filter(([, targets]) => targets.length > 0)
    .map(([from, targets]) => `${from} to ${targets.join(', ')}`)
    .join('; ');
}
