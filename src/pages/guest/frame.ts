import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';
import type { Faults } from '../form/faults.ts';
import type { Typed } from '../form/typed.ts';
import { type Html, html } from '../html.ts';
import type { HtmlPage } from '../html-page.ts';
import { isCancelled, timeOf } from '../public/event-words.ts';

/** The outcome of a submitted form. */
export interface Outcome {
  /** What was typed; absent if the page shows what is stored. */
  typed?: Typed;
  faults?: Faults;
  message?: { title: string; text: string; look: 'good' | 'bad' };
  status?: number;
}

/** Removes the token from the address bar and the history. Without JavaScript it stays there, but goes nowhere else. */
const script = "if (location.search) history.replaceState(null, '', location.pathname);";

/** A page behind a link in a mail. */
export function guestPage(title: string, main: Html, status = 200): HtmlPage {
  return { title, body: html`<main class="page">${main}</main>`, script, sendsForms: true, status };
}

/** A page with a message alone. */
export function messagePage({ title, text }: { title: string; text: string }, status: number): HtmlPage {
  return guestPage(title, html`<h1>${title}</h1><p>${text}</p>`, status);
}

/** Says what has or has not happened. It gets the focus. */
export function notice({ title, text }: { title: string; text: string }, look: 'good' | 'bad'): Html {
  const role = look === 'bad' ? 'alert' : 'status';
  return html`<div class="notice ${look}" role="${role}" tabindex="-1" autofocus><p><strong>${title}.</strong> ${text}</p></div>`;
}

/** When and where an event takes place. */
export function eventFacts(event: PublicEventRow): Html {
  return html`<dl><dt>When</dt><dd>${timeOf(event)}${
    isCancelled(event) && html`<br><strong class="bad">The event is cancelled.</strong>`
  }</dd>${event.location !== null && html`<dt>Where</dt><dd dir="auto">${event.location}</dd>`}</dl>`;
}

/** A form that sends the token back, with a button and possibly fields. */
export function tokenForm(path: string, token: string, button: Html, fields: Html | null = null): Html {
  return html`<form method="post" action="${path.slice(1)}" novalidate><input type="hidden" name="token" value="${token}">${fields}${button}</form>`;
}
