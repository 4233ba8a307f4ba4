export const subscriptionStatuses = ['pending', 'accepted', 'declined', 'waitlisted', 'cancelled'] as const;
/** The status of a subscription (reference/subscriptions.md). Here, since events are filtered by it. */
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];
