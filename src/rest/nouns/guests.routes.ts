import { z } from 'zod';
import {
  confirmGuestSubscription,
  guestConfirmInput,
  guestTokenInput,
} from '../../domain/guest/confirm-subscription.ts';
import { cancelOwnSubscription, changeOwnAnswers, guestAnswersInput, lookUpLink } from '../../domain/guest/own-link.ts';
import { guestRequestInput, requestGuestSubscription } from '../../domain/guest/request-subscription.ts';
import { eraseGuest } from '../../domain/leaving/erase-guest.ts';
import { subscriptionStatuses } from '../../domain/subscription/subscription.entity.ts';
import { publicEventView, waitingPosition } from '../server/resource.schemas.ts';
import { openRoute, route, tagged } from '../server/route.ts';

const status = z.enum(subscriptionStatuses);

const answers = z.record(z.string(), z.unknown()).nullable();
const shown =
  'If the event is not public and the subscription is no longer live, `event` shows only `id`, `name`, `date_start`, `date_end` and `timezone`: `description` and `location` are null, `slug` is the `id`, `status` is 3, `registration` and `availability` are `closed`, and `updated_at` is that of the subscription.';

const ownSubscription = z
  .strictObject({ event: publicEventView.schema, status, waiting_position: waitingPosition, answers })
  .meta({ id: 'OwnSubscription', description: `A subscription as its link shows it. ${shown}` });

const linkedSubscription = ownSubscription.extend({ status: status.nullable() }).meta({
  id: 'LinkedSubscription',
  description: `What a link is for. \`status\` is null if using the link would create a subscription, with these answers. ${shown}`,
});

const ofLinks = ['INVALID_VERIFICATION_TOKEN', 'RATE_LIMITED'] as const;

/**
 * Subscriptions of people without an account, through the links in their mails
 * (reference/public-and-guests.md#guest-subscriptions).
 */
export const guestRoutes = tagged('guests', [
  route('POST /public/events/{event}/subscriptions', 'requestGuestSubscription', {
    summary:
      'Sends a mail with a link that confirms a subscription; always `true`, so that it does not reveal who owns the address.',
    access: 'public',
    body: guestRequestInput.meta({ id: 'GuestRequest' }),
    largeBody: true,
    checked: 'by its command',
    errors: ['NOT_FOUND', 'CONFLICT', 'REGISTRATION_CLOSED', 'EVENT_FULL'],
    handle: ({ ctx, params, request }) => requestGuestSubscription(ctx, params.event ?? '', request.body),
  }),
  openRoute('POST /public/subscriptions/confirm', 'confirmGuestSubscription', confirmGuestSubscription, {
    summary:
      'Creates the subscription that the mail was requested for, with the answers of that request or of this one. The first link that is used counts; all other links of the address for the event then expire.',
    body: guestConfirmInput.meta({ id: 'GuestConfirmation' }),
    largeBody: true,
    response: z.strictObject({ status }).meta({ id: 'ConfirmedSubscription' }),
    errors: [
      ...ofLinks,
      'CONFLICT',
      'ALREADY_SUBSCRIBED',
      'SUBSCRIPTION_DECLINED',
      'REGISTRATION_CLOSED',
      'EVENT_FULL',
    ],
  }),
  openRoute('POST /public/subscriptions/lookup', 'lookUpSubscription', lookUpLink, {
    safe: true,
    summary:
      'The subscription that a link from a mail leads to; for a confirmation link, the subscription that it would create (`status` is null).',
    body: guestTokenInput,
    response: linkedSubscription,
    errors: [...ofLinks, 'REGISTRATION_CLOSED'],
  }),
  openRoute('POST /public/subscriptions/answers', 'changeOwnAnswers', changeOwnAnswers, {
    summary: 'Replaces the answers of the subscription that a link from a mail leads to.',
    body: guestAnswersInput,
    largeBody: true,
    response: ownSubscription,
    errors: [...ofLinks, 'CONFLICT', 'INVALID_TRANSITION'],
  }),
  openRoute('POST /public/subscriptions/cancel', 'cancelOwnSubscription', cancelOwnSubscription, {
    summary: 'Cancels the subscription that a link from a mail leads to.',
    body: guestTokenInput,
    errors: [...ofLinks, 'INVALID_TRANSITION'],
  }),
  openRoute('POST /public/subscriptions/erase', 'eraseGuest', eraseGuest, {
    summary:
      'Erases everything that is kept about the guest to whom the link was mailed, in every organization; for people without an account.',
    body: guestTokenInput,
    errors: [...ofLinks, 'FORBIDDEN'],
  }),
]);
