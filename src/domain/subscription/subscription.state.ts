import type { SubscriptionStatus } from './subscription.entity.ts';

/** A live subscription has a place, or may still get one (reference/subscriptions.md). */
export const liveStatuses = ['pending', 'accepted', 'waitlisted'] as const satisfies SubscriptionStatus[];
export type LiveStatus = (typeof liveStatuses)[number];

export function isLive(status: SubscriptionStatus): boolean {
  return (liveStatuses as readonly SubscriptionStatus[]).includes(status);
}

type Transitions = Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>>;

/** Descriptions and tests are generated from these tables (reference/subscriptions.md#changing). */
export const managerTransitions: Transitions = {
  pending: ['accepted', 'waitlisted', 'declined', 'cancelled'],
  accepted: ['pending', 'waitlisted', 'declined', 'cancelled'],
  waitlisted: ['pending', 'accepted', 'declined', 'cancelled'],
  declined: ['pending', 'accepted', 'waitlisted'],
  cancelled: ['pending', 'accepted', 'waitlisted'],
};

export const holderTransitions: Transitions = {
  pending: ['cancelled'],
  accepted: ['cancelled'],
  waitlisted: ['cancelled'],
  declined: [],
  cancelled: [],
};

export const describedMoves = `A manager moves it from ${described(managerTransitions)}. Its holder moves it from ${described(holderTransitions)}.`;

function described(transitions: Transitions): string {
  return Object.entries(transitions)
    .filter(([, targets]) => targets.length > 0)
    .map(([from, targets]) => `${from} to ${targets.join(', ')}`)
    .join('; ');
}
