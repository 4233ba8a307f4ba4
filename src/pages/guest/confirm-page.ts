import { html } from '#html-forms';
import type { Form } from '../../domain/event/event-form.ts';
import type { RequestedSubscription } from '../../domain/guest/guest-request.ts';
import type { EventHost } from '../../domain/public/organizer.ts';
import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';
import type { SubscriptionStatus } from '../../domain/subscription/subscription.entity.ts';
import { noFaults, type Typed, typedAnswers } from '../form/filled-form.ts';
import { nameField, questionFields, summaryOf } from '../form/form-fields.ts';
import type { HtmlPage } from '../html-page.ts';
import { guestPaths } from '../page-paths.ts';
import { outcomeWords } from '../public/event-words.ts';
import { eventFacts, eventLinks, type FormOutcome, guestPage, notice, tokenForm } from './frame.ts';
import { subscriptionStatusWords } from './words.ts';

export interface RequestView {
  token: string;
  request: RequestedSubscription;
  form: Form;
  host: EventHost;
}

export async function confirmPage(
  { token, request, form, host }: RequestView,
  outcome: FormOutcome = {},
): Promise<HtmlPage> {
  const { event } = request;
  const { faults = noFaults, message, typed = requested(request, form) } = outcome;
  const title = 'Confirm your subscription';
  const fields = html`<input type="hidden" name="form_version" value="${form.version}">${nameField(typed, faults)}
${await questionFields(form.questions, typed, faults)}`;
  return guestPage(
    `${faults.size > 0 || message?.look === 'bad' ? 'Not confirmed yet: ' : ''}${title}`,
    html`${message && notice(message, message.look)}${summaryOf(faults, form.questions)}
<h1>${title}</h1><p class="lead" dir="auto"><strong>${event.name}</strong></p>${eventFacts(event, host)}
<p>${availabilityWords(event)}</p><p>If you did not ask for this, close this page: nothing will happen.</p>
<section aria-labelledby="yours"><h2 id="yours">Your details</h2><p>Please check them and correct anything that is wrong.</p>
${tokenForm(guestPaths.confirm, token, html`<button>Confirm</button>`, fields)}</section>`,
    { status: outcome.status, host },
  );
}

function requested({ name, answers }: RequestedSubscription, { questions }: Form): Typed {
  return new Map([['name', [name]], ...typedAnswers(questions, answers)]);
}

export function confirmedPage({ request: { event }, host }: RequestView, status: SubscriptionStatus): HtmlPage {
  const { title, text } = subscriptionStatusWords[status];
  return guestPage(
    title,
    html`${notice({ title, text }, 'good')}<h1 dir="auto">${event.name}</h1>${eventFacts(event, host)}${eventLinks(event, host, true)}
<p>You will get a mail with a link to your subscription, where you can view, change or cancel it at any time.</p>`,
    { host },
  );
}

function availabilityWords(event: PublicEventRow): string {
  switch (event.availability) {
    case 'full':
      return 'All places are taken at the moment. Check back to see whether one has opened up.';
    case 'closed':
      return 'The organizer is not taking subscriptions at the moment.';
    default:
      return outcomeWords(event);
  }
}
