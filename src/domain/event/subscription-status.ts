export const subscriptionStatuses = ['pending', 'accepted', 'declined', 'waitlisted', 'cancelled'] as const;
/** Here, not with subscriptions, since events are filtered by it (reference/subscriptions.md). */
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];
