import { publicPath } from '../../domain/event/event-address.ts';
import type { Organizer } from '../../domain/public/organizer.ts';
import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';
import { type Page, pageTokens } from '../../engine/list/page.ts';
import type { PublicScope } from '../../kernel/request.ts';
import { plainMarkdown } from '../../markdown/markdown.ts';
import { type Html, html } from '../html.ts';
import type { HtmlPage } from '../html-page.ts';
import { dateTile, monthOf, nearDay } from './date-tile.ts';
import { badge, sharedZone, timeOf } from './event-words.ts';
import { aboutOrganizer } from './organizer-lines.ts';
import { previewTags } from './social.ts';

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

export interface ListView {
  scope: PublicScope;
  organizer: Organizer;
  page: Page<PublicEventRow>;
  now: Date;
}

export function listPage({ scope, organizer, page, now }: ListView, publicUrl: string): HtmlPage {
  const own = encodeURIComponent(scope.slug);
  const title = `Events of ${scope.name}`;
  const preview = {
    title,
    description: plainMarkdown(organizer.description ?? '') || `Upcoming events of ${scope.name}.`,
    url: publicUrl + publicPath(scope.slug),
    site: scope.name,
  };
  const zone = sharedZone(page.items);
  const months = [...Map.groupBy(page.items, ({ date_start, timezone }) => monthOf(date_start, timezone))].map(
    ([month, events]) =>
      html`<h2>${month}</h2><ul class="plain">${events.map((event) => item(own, event, zone === null, now))}</ul>`,
  );
  return {
    title,
    head: previewTags(preview),
    accent: organizer.accent,
    body: html`<main class="page"><p class="soft kicker">Events</p><h1 dir="auto">${scope.name}</h1>
${aboutOrganizer(organizer)}
${zone !== null && html`<p class="soft">All times: ${zone}</p>`}
${months.length > 0 ? months : html`<p>No public events are planned at the moment.</p>`}
${pages(own, page)}
<div class="actions"><a class="button quiet" href="${own}/events.ics">Add all to your calendar</a></div></main>`,
  };
}

function item(own: string, event: PublicEventRow, withZone: boolean, now: Date): Html {
  const { date_start, timezone, location } = event;
  const near = nearDay(date_start, timezone, now);
  return html`<li class="dated">${dateTile(date_start, timezone)}<div><h3><a href="${own}/${encodeURIComponent(event.slug)}" dir="auto">${event.name}</a></h3>
<p>${near !== null && html`<strong>${near}</strong>, `}${timeOf(event, withZone)}${location !== null && html`<br><span dir="auto">${location}</span>`}</p><p>${badge(event)}</p></div></li>`;
}

function pages(own: string, page: Page<PublicEventRow>): Html | null {
  const { prev, next } = pageTokens(page);
  if (prev === null && next === null) return null;
  return html`<nav class="pages" aria-label="Pages">${
    prev !== null && html`<a rel="prev" href="${own}?token=${prev}">Earlier events</a>`
  } ${next !== null && html`<a rel="next" href="${own}?token=${next}">Later events</a>`}</nav>`;
}
