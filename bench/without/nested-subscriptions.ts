/** The subscriptions of the events of a page are read by a second statement. */
export const subscriptionsWithEvents = () => null;
