/** What subscribing changes in an event; what is not selected is left out. */
interface Subscribable {
  id: string;
  acceptedCount: number;
  placesLeft?: number | null;
  availability: string;
  viewerSubscription?: { id: string; status: string } | null;
}

const outcomes: Record<string, string> = { OPEN: 'ACCEPTED', WAITING_LIST: 'WAITLISTED', APPROVAL: 'PENDING' };

/** The event as it probably is after the viewer has subscribed, for an optimistic response. */
export function subscribed<Event extends Subscribable>(event: Event): Event {
  const status = outcomes[event.availability] ?? 'PENDING';
  const own = { __typename: 'EventSubscription', waitingPosition: null, id: `expected-${event.id}`, status };
  return { ...counted(event, status === 'ACCEPTED' ? 1 : 0), viewerSubscription: own };
}

/** The event as it probably is after the viewer has cancelled, for an optimistic response. */
export function cancelled<Event extends Subscribable>(event: Event): Event {
  const own = event.viewerSubscription;
  const freed = own?.status === 'ACCEPTED' ? -1 : 0;
  return { ...counted(event, freed), viewerSubscription: own && { ...own, status: 'CANCELLED' } };
}

function counted<Event extends Subscribable>(event: Event, change: number): Event {
  const { acceptedCount, placesLeft } = event;
  const left = typeof placesLeft === 'number' ? { placesLeft: Math.max(0, placesLeft - change) } : {};
  return { ...event, acceptedCount: acceptedCount + change, ...left };
}
