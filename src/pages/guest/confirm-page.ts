import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';
import type { SubscriptionStatus } from '../../domain/subscription/subscription.entity.ts';
import { type Html, html } from '../html.ts';
import type { HtmlPage } from '../html-page.ts';
import { guestPaths } from '../page-paths.ts';
import { outcomeWords } from '../public/event-words.ts';
import { eventFacts, guestPage, notice, tokenForm } from './frame.ts';
import { standing } from './words.ts';

/** Asks whether to make the subscription. */
export function confirmPage(token: string, event: PublicEventRow): HtmlPage {
  return guestPage(
    'Confirm your subscription',
    html`<h1>Confirm your subscription</h1>${facts(event)}
<p>${meets(event)}</p><p>If you did not ask for this, close this page: nothing will happen.</p>
${tokenForm(guestPaths.confirm, token, html`<button>Confirm</button>`)}`,
  );
}

export function confirmedPage(event: PublicEventRow, status: SubscriptionStatus): HtmlPage {
  const { title, text } = standing[status];
  return guestPage(
    title,
    html`${notice({ title, text }, 'good')}<h1 dir="auto">${event.name}</h1>${eventFacts(event)}
<p>You will get a mail with a link to your subscription. With it you can see, change or cancel it at any time.</p>`,
  );
}

function facts(event: PublicEventRow): Html {
  return html`<p class="lead" dir="auto"><strong>${event.name}</strong></p>${eventFacts(event)}`;
}

function meets(event: PublicEventRow): string {
  switch (event.availability) {
    case 'full':
      return 'All places are taken at the moment. You can try whether there is one by now.';
    case 'closed':
      return 'The organizer takes no subscriptions at the moment.';
    default:
      return outcomeWords(event);
  }
}
