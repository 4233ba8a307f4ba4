import { Html, html } from '#html-forms';
import { shorten } from '#input-values';
import { readMarkdown } from '#safe-markdown';
import type { Organizer } from '../../domain/public/organizer.ts';
import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';
import { isCancelled } from './event-words.ts';

export interface Preview {
  title: string;
  description: string;
  url: string;
  site: string;
}

/** Characters of a description in a preview. */
const descriptionLength = 200;

export function previewTags({ title, description, url, site }: Preview): Html {
  const text = shorten(description.replace(/\s+/g, ' ').trim(), descriptionLength);
  return html`<link rel="canonical" href="${url}"><meta name="description" content="${text}"><meta property="og:type" content="website"><meta property="og:title" content="${title}"><meta property="og:description" content="${text}"><meta property="og:url" content="${url}"><meta property="og:site_name" content="${site}"><meta name="twitter:card" content="summary">`;
}

/** `url` is the address of the organizer's list. */
type OrganizerData = Pick<Organizer, 'website' | 'contact_email'> & { url: string };

/** The event for search engines, as `Event` of schema.org. */
export function eventData(event: PublicEventRow, { url, site }: Preview, organizer: OrganizerData): Html {
  const { name, location } = event;
  const description = event.description && readMarkdown(event.description).plain;
  return dataBlock({
    '@context': 'https://schema.org',
    '@type': 'Event',
    name,
    ...(description ? { description } : {}),
    startDate: event.date_start,
    endDate: event.date_end,
    eventStatus: `https://schema.org/${isCancelled(event) ? 'EventCancelled' : 'EventScheduled'}`,
    ...(location === null ? {} : { location: { '@type': 'Place', name: location, address: location } }),
    organizer: {
      '@type': 'Organization',
      name: site,
      url: organizer.url,
      ...(organizer.website === null ? {} : { sameAs: organizer.website }),
      ...(organizer.contact_email === null ? {} : { email: organizer.contact_email }),
    },
    url,
  });
}

/** No text in the JSON can close the element, open a comment, or end a line of JavaScript. */
function dataBlock(data: object): Html {
  const escaped = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return html`<script type="application/ld+json">${new Html(escaped)}</script>`;
}
