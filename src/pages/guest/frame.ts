import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';
import type { Faults } from '../form/faults.ts';
import type { Typed } from '../form/typed.ts';
import { type Html, html } from '../html.ts';
import type { HtmlPage } from '../html-page.ts';
import { isCancelled, timeOf } from '../public/event-words.ts';

/** What came of a form of a page. */
export interface Outcome {
  /** What was typed; what is stored if nothing is wrong with that. */
  typed?: Typed;
  faults?: Faults;
  said?: { title: string; text: string; look: 'good' | 'bad' };
  status?: number;
}

/** Takes the token out of the address bar and the history. Without JavaScript it stays there, and goes nowhere else. */
const script = "if (location.search) history.replaceState(null, '', location.pathname);";

/** A page behind the link of a mail. */
export function guestPage(title: string, main: Html, status = 200): HtmlPage {
  return { title, body: html`<main class="page">${main}</main>`, script, sendsForms: true, status };
}

/** A page that only says something. */
export function messagePage({ title, text }: { title: string; text: string }, status: number): HtmlPage {
  return guestPage(title, html`<h1>${title}</h1><p>${text}</p>`, status);
}

/** What happened, or did not; it gets the focus. */
export function notice({ title, text }: { title: string; text: string }, look: 'good' | 'bad'): Html {
  const role = look === 'bad' ? 'alert' : 'status';
  return html`<div class="notice ${look}" role="${role}" tabindex="-1" autofocus><p><strong>${title}.</strong> ${text}</p></div>`;
}

/** When and where an event is. */
export function eventFacts(event: PublicEventRow): Html {
  return html`<dl><dt>When</dt><dd>${timeOf(event)}${
    isCancelled(event) && html`<br><strong class="bad">The event is cancelled.</strong>`
  }</dd>${event.location !== null && html`<dt>Where</dt><dd dir="auto">${event.location}</dd>`}</dl>`;
}

/** A button that sends the token back, with what is to be done. */
export function tokenForm(path: string, token: string, button: Html, fields: Html | null = null): Html {
  return html`<form method="post" action="${path.slice(1)}" novalidate><input type="hidden" name="token" value="${token}">${fields}${button}</form>`;
}
