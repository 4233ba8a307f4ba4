import { type Event, eventStatuses } from './event.entity.ts';

/** Whether anyone may see an event (reference/public-and-guests.md#public-events). */
export function isPublicEvent({ visibility, status }: { visibility: string; status: number }): boolean {
  return visibility === 'public' && (status === eventStatuses.ACTIVE || status === eventStatuses.CANCELLED);
}

/** An organization's public events, or one of them, below the URL of the service. */
export function publicPath(organization: string, event?: string): string {
  const list = `/o/${encodeURIComponent(organization)}`;
  return event === undefined ? list : `${list}/${encodeURIComponent(event)}`;
}

/** What the address of an event depends on. */
export const addressColumns = ['slug', 'status', 'visibility', 'organization_slug'] as const;

export type Addressed = Pick<Event, 'slug' | 'status' | 'visibility'> & { organization_slug: string };

/** Of its public page; null while it has none. */
export function eventUrl(publicUrl: string, event: Addressed): string | null {
  return isPublicEvent(event) ? publicUrl + publicPath(event.organization_slug, event.slug) : null;
}
