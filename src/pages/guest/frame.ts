import { type Html, html } from '#html-forms';
import { isPublicEvent, publicPath } from '../../domain/event/event-address.ts';
import type { EventHost } from '../../domain/public/organizer.ts';
import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';
import type { Faults, Typed } from '../form/filled-form.ts';
import type { HtmlPage } from '../html-page.ts';
import { isCancelled, timeOf } from '../public/event-words.ts';
import { organizerFact } from '../public/organizer-lines.ts';

export interface FormOutcome {
  /** Absent if the page shows what is stored. */
  typed?: Typed;
  faults?: Faults;
  message?: { title: string; text: string; look: 'good' | 'bad' };
  status?: number;
}

interface GuestPage {
  status?: number | undefined;
  host?: EventHost;
}

/** Removes the token from the address bar and the history. Without JavaScript it stays there, and is sent nowhere else. */
const script = "if (location.search) history.replaceState(null, '', location.pathname);";

/** A page behind a link in a mail, in the colour of the organizer if the link is valid. */
export function guestPage(title: string, main: Html, { status = 200, host }: GuestPage = {}): HtmlPage {
  const list = host && `.${publicPath(host.slug)}`;
  const header =
    host &&
    html`<header class="site"><nav aria-label="Organizer"><a href="${list}" dir="auto">${host.name}</a></nav></header>`;
  const body = html`${header}<main class="page">${main}</main>`;
  return { title, body, accent: host?.accent ?? null, script, sendsForms: true, status };
}

export function messagePage({ title, text }: { title: string; text: string }, status: number): HtmlPage {
  return guestPage(title, html`<h1>${title}</h1><p>${text}</p>`, { status });
}

/** It gets the focus: the forms of all pages lead to this id. */
export function notice({ title, text }: { title: string; text: string }, look: 'good' | 'bad'): Html {
  const role = look === 'bad' ? 'alert' : 'status';
  return html`<div class="notice ${look}" role="${role}" id="outcome" tabindex="-1"><p><strong>${title}.</strong> ${text}</p></div>`;
}

export function eventFacts(event: PublicEventRow, host: EventHost): Html {
  return html`<dl><dt>When</dt><dd>${timeOf(event)}${
    isCancelled(event) && html`<br><strong class="bad">The event is cancelled.</strong>`
  }</dd>${event.location !== null && html`<dt>Where</dt><dd dir="auto">${event.location}</dd>`}${organizerFact(host.name, host)}</dl>`;
}

/** Null if the event's page is not public. @param mayCome whether its calendar file is useful */
export function eventLinks(event: PublicEventRow, host: EventHost, mayCome: boolean): Html | null {
  const { slug, status } = event;
  if (!isPublicEvent({ visibility: host.visibility, status })) return null;
  const page = `.${publicPath(host.slug, slug)}`;
  const calendar = mayCome && !isCancelled(event) && html`<a href="${page}.ics">Add to your calendar</a> · `;
  return html`<p>${calendar}<a href="${page}">About the event</a></p>`;
}

export function tokenForm(path: string, token: string, button: Html, fields: Html | null = null): Html {
  return html`<form method="post" action="${path.slice(1)}#outcome" novalidate><input type="hidden" name="token" value="${token}">${fields}${button}</form>`;
}
