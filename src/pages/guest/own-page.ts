import { type Html, html } from '#html-forms';
import type { Form } from '../../domain/event/event-form.ts';
import { hasEnded } from '../../domain/event/event-moment.ts';
import type { OwnSubscription } from '../../domain/guest/own-link.ts';
import type { EventHost } from '../../domain/public/organizer.ts';
import { isLive } from '../../domain/subscription/subscription.state.ts';
import { type Faults, noFaults, type Typed, typedAnswers } from '../form/filled-form.ts';
import { questionFields, summaryOf } from '../form/form-fields.ts';
import type { HtmlPage } from '../html-page.ts';
import { guestPaths } from '../page-paths.ts';
import { eventFacts, eventLinks, type FormOutcome, guestPage, notice, tokenForm } from './frame.ts';
import { placeWords, subscriptionStatusWords } from './words.ts';

export interface OwnView {
  token: string;
  subscription: OwnSubscription;
  form: Form;
  host: EventHost;
  now: Date;
}

export async function ownPage(
  { token, subscription, form, host, now }: OwnView,
  outcome: FormOutcome = {},
): Promise<HtmlPage> {
  const { event, status, answers, waiting_position: position } = subscription;
  const { title, text, look } = subscriptionStatusWords[status];
  const isOpen = isLive(status) && !hasEnded(event, now);
  const { faults = noFaults, message, typed = typedAnswers(form.questions, answers) } = outcome;
  return guestPage(
    `${faults.size > 0 ? 'Not saved yet: ' : ''}Your subscription – ${event.name}`,
    html`${message && notice(message, message.look)}${summaryOf(faults, form.questions)}
<p class="soft kicker">Your subscription</p><h1 dir="auto">${event.name}</h1>
<p><span class="badge ${look}">${position === null ? title : placeWords(position)}</span></p><p>${text}</p>${eventFacts(event, host)}
${eventLinks(event, host, isOpen)}
${isOpen && form.questions.length > 0 && (await answersSection(token, form, typed, faults))}
${isOpen && cancelSection(token)}
${eraseSection(token)}`,
    { status: outcome.status, host },
  );
}

async function answersSection(
  token: string,
  { version, questions }: Form,
  typed: Typed,
  faults: Faults,
): Promise<Html> {
  const fields = await questionFields(questions, typed, faults);
  const hidden = html`<input type="hidden" name="do" value="answer"><input type="hidden" name="form_version" value="${version}">`;
  return html`<section aria-labelledby="answers"><h2 id="answers">Your answers</h2>
${tokenForm(guestPaths.own, token, html`<button>Save the answers</button>`, html`${hidden}${fields}`)}</section>`;
}

function cancelSection(token: string): Html {
  const button = html`<button class="quiet" name="do" value="ask">Cancel the subscription</button>`;
  return html`<section aria-labelledby="leave"><h2 id="leave">Unable to come?</h2>
<p>Please cancel your subscription so that somebody else can have the place.</p>${tokenForm(guestPaths.own, token, button)}</section>`;
}

function eraseSection(token: string): Html {
  const button = html`<button class="quiet" name="do" value="ask-erase">Erase your data</button>`;
  return html`<section aria-labelledby="data"><h2 id="data">Your data</h2>
<p>You can erase your name, your address and your answers, here and at every other organizer.</p>${tokenForm(guestPaths.own, token, button)}</section>`;
}

export function erasePage({ token, host }: OwnView): HtmlPage {
  const buttons = html`<div class="actions"><button name="do" value="erase">Yes, erase everything</button><button class="quiet" name="do" value="show">No, keep it</button></div>`;
  return guestPage(
    'Erase your data?',
    html`<h1>Erase your data?</h1><p>Your subscriptions to events that are not over are cancelled, at every organizer. Your name, your address and your answers are erased, and the links in your mails stop working. This cannot be undone.</p>${tokenForm(guestPaths.own, token, buttons)}`,
    { host },
  );
}

export function leavePage({ token, subscription: { event }, host }: OwnView): HtmlPage {
  const buttons = html`<div class="actions"><button name="do" value="cancel">Yes, cancel it</button><button class="quiet" name="do" value="show">No, keep it</button></div>`;
  return guestPage(
    'Cancel your subscription?',
    html`<h1>Cancel your subscription?</h1><p>You will give up your place, or your position on the waiting list, at this event:</p>
<p class="lead" dir="auto"><strong>${event.name}</strong></p>${eventFacts(event, host)}${tokenForm(guestPaths.own, token, buttons)}`,
    { host },
  );
}
