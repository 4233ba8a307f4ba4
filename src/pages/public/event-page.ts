import { nextTurn } from '#fair-turns';
import { type Html, html, inputField } from '#html-forms';
import { readMarkdown } from '#safe-markdown';
import { publicPath } from '../../domain/event/event-address.ts';
import type { Form } from '../../domain/event/event-form.ts';
import { requestHours } from '../../domain/guest/guest-mail.ts';
import type { Organizer } from '../../domain/public/organizer.ts';
import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';
import type { PublicScope } from '../../kernel/request.ts';
import { type Faults, noFaults, nothingTyped, type Typed, typedText } from '../form/filled-form.ts';
import { nameField, personLabels, questionFields, summaryOf } from '../form/form-fields.ts';
import type { HtmlPage } from '../html-page.ts';
import { markdown } from '../markdown.ts';
import { calendarLinks, mapLink, shareLinks } from './calendar-links.ts';
import { dateTile } from './date-tile.ts';
import { isCancelled, outcomeWords, placesWords, timeOf } from './event-words.ts';
import { contactLink, organizerFact } from './organizer-lines.ts';
import { eventData, type Preview, previewTags } from './social.ts';

export interface EventView {
  scope: PublicScope;
  organizer: Organizer;
  event: PublicEventRow;
  /** Free places; null if there is no limit. */
  left: number | null;
  form: Form;
  now: Date;
}

export interface Attempt {
  typed: Typed;
  faults: Faults;
  /** The reason, if no field is wrong. */
  notice?: string;
}

const noAttempt: Attempt = { typed: nothingTyped, faults: noFaults };

export async function eventPage(view: EventView, publicUrl: string, attempt: Attempt = noAttempt): Promise<HtmlPage> {
  const { scope, organizer, event } = view;
  // its description may take long
  await nextTurn();
  const preview: Preview = {
    title: event.name,
    description: readMarkdown(event.description ?? '').plain || `${scope.name} invites you.`,
    url: publicUrl + publicPath(scope.slug, event.slug),
    site: scope.name,
  };
  const isOpen = takesSubscriptions(event);
  const failed = attempt.faults.size > 0 || attempt.notice !== undefined;
  return {
    title: `${failed ? 'Not sent yet: ' : ''}${event.name} – ${scope.name}`,
    head: html`${previewTags(preview)}${eventData(event, preview, { ...organizer, url: publicUrl + publicPath(scope.slug) })}`,
    accent: organizer.accent,
    body: eventFrame(
      scope,
      html`${attempt.notice !== undefined && html`<div class="notice bad" role="alert" id="outcome" tabindex="-1"><p>${attempt.notice}</p></div>`}
${summaryOf(attempt.faults, view.form.questions)}
${isCancelled(event) && html`<p><span class="badge bad">Cancelled</span></p>`}
<div class="dated">${dateTile(event.date_start, event.timezone)}<h1 dir="auto">${event.name}</h1></div>
${facts(view)}
${event.description !== null && html`<div class="text">${markdown(event.description)}</div>`}
${
  !isCancelled(event) &&
  html`<div class="actions">${isOpen && html`<a class="button" href="#subscribe">${subscribeLabel(event)}</a>`}<a class="button quiet" href="${encodeURIComponent(event.slug)}.ics">Add to your calendar</a></div>
${calendarLinks(event, preview.url)}`
}
${isOpen && (await subscribeSection(view, attempt))}
${shareLinks(event, preview.url)}`,
    ),
    sendsForms: isOpen,
  };
}

function eventFrame({ name, slug }: PublicScope, main: Html): Html {
  return html`<header class="site"><nav aria-label="Organizer"><a href="../${encodeURIComponent(slug)}" dir="auto">${name}</a></nav></header>
<main class="page">${main}</main>`;
}

function facts({ scope, organizer, event, left, now }: EventView): Html {
  return html`<dl><dt>When</dt><dd>${timeOf(event)}</dd>${
    event.location !== null && html`<dt>Where</dt><dd dir="auto">${event.location} ${mapLink(event.location)}</dd>`
  }<dt>${event.availability === 'closed' ? 'Registration' : 'Places'}</dt><dd>${placesWords(event, left, now)}</dd>${organizerFact(scope.name, organizer)}</dl>`;
}

function takesSubscriptions({ availability }: PublicEventRow): boolean {
  return availability !== 'closed' && availability !== 'full';
}

function subscribeLabel({ availability }: PublicEventRow): string {
  return availability === 'waiting_list' ? 'Join the waiting list' : 'Subscribe';
}

async function subscribeSection({ event, form }: EventView, { typed, faults }: Attempt): Promise<Html> {
  const questions = await questionFields(form.questions, typed, faults);
  // `novalidate`: the browser knows neither our rules for addresses nor our words
  return html`<section aria-labelledby="subscribe"><h2 id="subscribe">${subscribeLabel(event)}</h2>
<form method="post" action="${encodeURIComponent(event.slug)}#outcome" novalidate>
<input type="hidden" name="form_version" value="${form.version}">
${nameField(typed, faults)}
${emailField(typed, faults)}
${questions}
<button>${subscribeLabel(event)}</button>
</form></section>
<section aria-labelledby="next"><h2 id="next">What happens next</h2>
<ol><li>We send you a mail with a link, which works for ${requestHours} hours.</li>
<li>You open the link and confirm. Until then nothing is booked.</li>
<li>${outcomeWords(event)}</li>
<li>You then get a mail with a link to view, change or cancel your subscription at any time. You do not need an account.</li></ol></section>`;
}

function emailField(typed: Typed, faults: Faults): Html {
  const help = 'We send a mail with a link to this address.';
  return inputField(
    { name: 'email', label: personLabels.email, help, required: true, fault: faults.get('email') },
    html` type="email" autocomplete="email" maxlength="320" value="${typedText(typed, 'email')}"`,
  );
}

/** The same for everyone, so that it does not reveal who has an account or a subscription. */
export function sentPage({ scope, organizer, event }: Pick<EventView, 'scope' | 'organizer' | 'event'>): HtmlPage {
  const contact = contactLink(organizer);
  const again = encodeURIComponent(event.slug);
  return {
    title: `Check your inbox – ${event.name}`,
    accent: organizer.accent,
    body: eventFrame(
      scope,
      html`<h1 id="outcome" tabindex="-1">Check your inbox</h1>
<p>We are sending you a mail about <strong dir="auto">${event.name}</strong>. <strong>Open its link to confirm</strong>: until then nothing is booked. The link works for ${requestHours} hours.</p>
<h2>If no mail arrives</h2>
<ul><li>Wait a few minutes and check your spam folder.</li>
<li>The address may contain a typo. You can <a href="${again}">fill in the form again</a>.</li>
<li>If you have already asked several times, use the link in any of those mails: the first one that you confirm counts, and the others stop working. We send at most three mails an hour for one event.</li>
<li>If none of this helps, please contact the organizer, <span dir="auto">${scope.name}</span>${contact && html` (${contact})`}.</li></ul>
<p><a href="${again}">Back to the event</a></p>`,
    ),
  };
}
