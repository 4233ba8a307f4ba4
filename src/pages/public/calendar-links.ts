import { type Html, html } from '#html-forms';
import { shorten } from '#input-values';
import { readMarkdown } from '#safe-markdown';
import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';

/** Characters of a description in a link. */
const detailsLength = 500;

/** Links that open an event in calendars on the web, and in programs by the address of a file. */
export function calendarLinks(event: PublicEventRow, url: string): Html {
  const { name, location } = event;
  const details = `${shorten(readMarkdown(event.description ?? '').plain, detailsLength)}\n\n${url}`.trim();
  const place: Record<string, string> = location === null ? {} : { location };
  const google = address('https://calendar.google.com/calendar/render', {
    ...{ action: 'TEMPLATE', text: name, dates: `${compact(event.date_start)}/${compact(event.date_end)}` },
    ...{ ctz: event.timezone, details, ...place },
  });
  const outlook = address('https://outlook.live.com/calendar/0/deeplink/compose', {
    ...{ path: '/calendar/action/compose', rru: 'addevent', subject: name },
    ...{ startdt: event.date_start, enddt: event.date_end, body: details, ...place },
  });
  const apple = `${url.replace(/^https?:/, 'webcal:')}.ics`;
  return html`<p class="soft">Or open it in ${out(google, 'Google Calendar')}, ${out(outlook, 'Outlook')} or ${out(apple, 'Apple Calendar')}.</p>`;
}

/** Null for an online event. */
export function mapLink(location: string): Html | null {
  if (/^\s*(online\b|https?:)/i.test(location)) return null;
  return out(address('https://www.openstreetmap.org/search', { query: location }), 'Map');
}

export function shareLinks({ name }: PublicEventRow, url: string): Html {
  const mail = `mailto:?subject=${encodeURIComponent(name)}&body=${encodeURIComponent(url)}`;
  return html`<section aria-labelledby="share"><h2 id="share">Share</h2><p><a href="${mail}">Share by mail</a>, or copy the address: <span class="address">${url}</span></p></section>`;
}

function address(base: string, parameters: Record<string, string>): string {
  return `${base}?${new URLSearchParams(parameters)}`;
}

function out(href: string, label: string): Html {
  return html`<a href="${href}" rel="nofollow noopener">${label}</a>`;
}

/** As `20310503T080000Z`. */
function compact(time: string): string {
  return time.replace(/\.\d+|[-:]/g, '');
}
