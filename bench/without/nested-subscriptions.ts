/** The subscriptions of a page's events are read in a second statement. */
export const subscriptionsWithEvents = () => null;
