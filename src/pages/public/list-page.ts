import { type Html, html } from '#html-forms';
import { readMarkdown } from '#safe-markdown';
import { publicPath } from '../../domain/event/event-address.ts';
import type { Organizer } from '../../domain/public/organizer.ts';
import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';
import { type Page, pageTokens } from '../../engine/list/page.ts';
import type { PublicScope } from '../../kernel/request.ts';
import type { HtmlPage } from '../html-page.ts';
import { dateTile, monthOf, nearDay } from './date-tile.ts';
import { badge, isCancelled, sharedZone, timeOf } from './event-words.ts';
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

/** What a visitor looks for; empty for everything. */
export interface Sought {
  /** A part of the name. */
  name: string;
  /** From which on: `2027-03`. */
  month: string;
}

const given = (sought: Sought) => Object.fromEntries(Object.entries(sought).filter(([, value]) => value !== ''));

export interface ListView {
  scope: PublicScope;
  organizer: Organizer;
  page: Page<PublicEventRow>;
  sought: Sought;
  /** Whether there are so many events that one seeks among them. */
  isLong: boolean;
  now: Date;
}

export function listPage({ scope, organizer, page, sought, isLong, now }: ListView, publicUrl: string): HtmlPage {
  const own = encodeURIComponent(scope.slug);
  const title = `Events of ${scope.name}`;
  const preview = {
    title,
    description: readMarkdown(organizer.description ?? '').plain || `Upcoming events of ${scope.name}.`,
    url: publicUrl + publicPath(scope.slug),
    site: scope.name,
  };
  const zone = sharedZone(page.items);
  const listed = (heading: string, events: PublicEventRow[]) =>
    html`<h2>${heading}</h2><ul class="plain">${events.map((event) => item(own, event, zone === null, now))}</ul>`;
  const [cancelled = [], coming = []] = [true, false].map((is) =>
    page.items.filter((event) => isCancelled(event) === is),
  );
  const months = [...Map.groupBy(coming, ({ date_start, timezone }) => monthOf(date_start, timezone))];
  const isSought = sought.name !== '' || sought.month !== '';
  return {
    title,
    head: previewTags(preview),
    accent: organizer.accent,
    sendsForms: isLong,
    body: html`<main class="page"><p class="soft kicker">Events</p><h1 dir="auto">${scope.name}</h1>
${aboutOrganizer(organizer)}
${zone !== null && html`<p class="soft">All times: ${zone}</p>`}
${isLong && seekForm(own, sought, now)}
${page.items.length === 0 && html`<p>${isSought ? 'No event that is to come matches.' : 'No public events are planned at the moment.'}</p>`}
${months.map(([month, events]) => listed(month, events))}
${cancelled.length > 0 && listed('Cancelled', cancelled)}
${pages(own, page, sought)}
<div class="actions"><a class="button quiet" href="${own}/events.ics">Add all to your calendar</a></div></main>`,
  };
}

function item(own: string, event: PublicEventRow, withZone: boolean, now: Date): Html {
  const { date_start, timezone, location } = event;
  const near = nearDay(date_start, timezone, now);
  return html`<li class="dated">${dateTile(date_start, timezone)}<div><h3><a href="${own}/${encodeURIComponent(event.slug)}" dir="auto">${event.name}</a></h3>
<p>${near !== null && html`<strong>${near}</strong>, `}${timeOf(event, withZone)}${location !== null && html`<br><span dir="auto">${location}</span>`}</p><p>${badge(event)}</p></div></li>`;
}

/** By a part of the name, and from a month on: the next twelve. */
function seekForm(own: string, { name, month }: Sought, now: Date): Html {
  const months = Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index)).toISOString(),
  );
  const options = months.map((start) => {
    const value = start.slice(0, 7);
    return html`<option value="${value}"${value === month && html` selected`}>${monthOf(start, 'UTC')}</option>`;
  });
  return html`<form class="seek" action="${own}" role="search"><div><label for="name">Search by name</label><input id="name" name="name" type="search" maxlength="200" value="${name}"></div>
<div><label for="month">From month</label><select id="month" name="month"><option value="">any</option>${options}</select></div><button>Search</button></form>`;
}

function pages(own: string, page: Page<PublicEventRow>, sought: Sought): Html | null {
  const { prev, next } = pageTokens(page);
  if (prev === null && next === null) return null;
  const at = (token: string) => `${own}?${new URLSearchParams({ ...given(sought), token })}`;
  return html`<nav class="pages" aria-label="Pages">${
    prev !== null && html`<a rel="prev" href="${at(prev)}">Earlier events</a>`
  } ${next !== null && html`<a rel="next" href="${at(next)}">Later events</a>`}</nav>`;
}
