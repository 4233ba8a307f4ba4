import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';
import { type Page, pageTokens } from '../../engine/list/page.ts';
import type { PublicScope } from '../../kernel/request.ts';
import { type Html, html } from '../html.ts';
import type { HtmlPage } from '../html-page.ts';
import type { Addresses } from './addresses.ts';
import { badge, timeOf } from './event-words.ts';
import { previewTags } from './social.ts';

/** The fields of an event that a list shows. */
export const listColumns = [
  'name',
  'slug',
  'status',
  'date_start',
  'date_end',
  'timezone',
  'location',
  'availability',
] as const satisfies (keyof PublicEventRow)[];

/** A page of an organization's upcoming events. */
export function listPage(scope: PublicScope, page: Page<PublicEventRow>, addresses: Addresses): HtmlPage {
  const own = encodeURIComponent(scope.slug);
  const title = `Events of ${scope.name}`;
  const preview = {
    title,
    description: `Upcoming events of ${scope.name}.`,
    url: addresses.full(scope.slug),
    site: scope.name,
  };
  const items = page.items.map((event) => item(own, event));
  return {
    title,
    head: previewTags(preview),
    body: html`<main class="page"><p class="soft kicker">Events</p><h1 dir="auto">${scope.name}</h1>
${items.length > 0 ? html`<ul class="plain">${items}</ul>` : html`<p>No public events are planned at the moment.</p>`}
${pages(own, page)}
<div class="actions"><a class="button quiet" href="${own}/events.ics">Add all to your calendar</a></div></main>`,
  };
}

function item(own: string, event: PublicEventRow): Html {
  return html`<li><h2><a href="${own}/${encodeURIComponent(event.slug)}" dir="auto">${event.name}</a></h2>
<p>${timeOf(event)}${event.location !== null && html`<br><span dir="auto">${event.location}</span>`}</p><p>${badge(event)}</p></li>`;
}

function pages(own: string, page: Page<PublicEventRow>): Html | null {
  const { prev, next } = pageTokens(page);
  if (prev === null && next === null) return null;
  return html`<nav class="pages" aria-label="Pages">${
    prev !== null && html`<a rel="prev" href="${own}?token=${prev}">Earlier events</a>`
  } ${next !== null && html`<a rel="next" href="${own}?token=${next}">Later events</a>`}</nav>`;
}
