/** What a write changes in an event. */
export interface Subscribed {
  id: string;
  acceptedCount: number;
  availability: string;
  viewerSubscription?: { id: string; status: string } | null;
}

const outcomes: Record<string, string> = { OPEN: 'ACCEPTED', WAITING_LIST: 'WAITLISTED', APPROVAL: 'PENDING' };

/** The event as it probably is after subscribing; the answer of the service replaces it, and its error takes it back. */
export function subscribed<Event extends Subscribed>(event: Event): Event {
  const status = outcomes[event.availability] ?? 'PENDING';
  const added = status === 'ACCEPTED' ? 1 : 0;
  return {
    ...event,
    acceptedCount: event.acceptedCount + added,
    viewerSubscription: { __typename: 'EventSubscription', id: `expected-${event.id}`, status },
  };
}

/** The event as it probably is after the viewer has cancelled. */
export function cancelled<Event extends Subscribed>(event: Event): Event {
  const own = event.viewerSubscription;
  return {
    ...event,
    acceptedCount: event.acceptedCount - (own?.status === 'ACCEPTED' ? 1 : 0),
    viewerSubscription: own && { ...own, status: 'CANCELLED' },
  };
}
