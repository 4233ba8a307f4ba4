import { z } from 'zod';
import { confirmGuestSubscription, guestTokenInput } from '../../domain/guest/confirm-subscription.ts';
import {
  cancelOwnSubscription,
  changeOwnAnswers,
  guestAnswersInput,
  lookUpSubscription,
} from '../../domain/guest/own-link.ts';
import { guestRequestInput, requestGuestSubscription } from '../../domain/guest/request-subscription.ts';
import type { PublicContext } from '../../domain/public/public-scope.ts';
import { subscriptionStatuses } from '../../domain/subscription/subscription.entity.ts';
import { publicEventSchema } from '../server/resource.schemas.ts';
import { type Route, route } from '../server/route.ts';
import { examples } from './examples.ts';

const status = z.enum(subscriptionStatuses);

const ownSubscription = z
  .strictObject({ event: publicEventSchema, status, answers: z.record(z.string(), z.unknown()).nullable() })
  .meta({ id: 'OwnSubscription' });

const byLink = {
  method: 'post',
  tag: 'guests',
  access: 'none',
} as const;

/** Subscriptions of people without an account, by the links of their mails (decisions §10). */
export const guestRoutes: Route[] = [
  route({
    method: 'post',
    path: '/public/events/{event}/subscriptions',
    operationId: 'requestGuestSubscription',
    summary: 'Sends a mail with a link that confirms a subscription; `true` whoever the address belongs to.',
    tag: 'guests',
    access: 'public',
    body: guestRequestInput,
    largeBody: true,
    checked: 'by its command',
    response: z.literal(true),
    example: examples.requestGuestSubscription,
    errors: ['NOT_FOUND', 'CONFLICT', 'REGISTRATION_CLOSED', 'EVENT_FULL'],
    async handle({ ctx, params, request }) {
      await requestGuestSubscription(ctx as PublicContext, params.event ?? '', request.body);
      return true;
    },
  }),
  route({
    ...byLink,
    path: '/public/subscriptions/confirm',
    operationId: 'confirmGuestSubscription',
    summary: 'Makes the subscription that a mail was requested for; the link works once.',
    body: guestTokenInput,
    response: z.strictObject({ status }).meta({ id: 'ConfirmedSubscription' }),
    example: examples.confirmGuestSubscription,
    errors: [
      'INVALID_VERIFICATION_TOKEN',
      'ALREADY_SUBSCRIBED',
      'SUBSCRIPTION_DECLINED',
      'REGISTRATION_CLOSED',
      'EVENT_FULL',
    ],
    handle: ({ ctx, body }) => confirmGuestSubscription(ctx, body),
  }),
  route({
    ...byLink,
    path: '/public/subscriptions/lookup',
    safe: true,
    operationId: 'lookUpSubscription',
    summary: 'The subscription that the link of a mail leads to.',
    body: guestTokenInput,
    response: ownSubscription,
    example: examples.lookUpSubscription,
    errors: ['INVALID_VERIFICATION_TOKEN'],
    handle: ({ ctx, body }) => lookUpSubscription(ctx, body),
  }),
  route({
    ...byLink,
    path: '/public/subscriptions/answers',
    operationId: 'changeOwnAnswers',
    summary: 'Replaces the answers of the subscription that the link of a mail leads to.',
    body: guestAnswersInput,
    largeBody: true,
    response: ownSubscription,
    example: examples.changeOwnAnswers,
    errors: ['INVALID_VERIFICATION_TOKEN', 'CONFLICT', 'INVALID_TRANSITION'],
    handle: ({ ctx, body }) => changeOwnAnswers(ctx, body),
  }),
  route({
    ...byLink,
    path: '/public/subscriptions/cancel',
    operationId: 'cancelOwnSubscription',
    summary: 'Cancels the subscription that the link of a mail leads to.',
    body: guestTokenInput,
    response: z.literal(true),
    example: examples.cancelOwnSubscription,
    errors: ['INVALID_VERIFICATION_TOKEN', 'INVALID_TRANSITION'],
    async handle({ ctx, body }) {
      await cancelOwnSubscription(ctx, body);
      return true;
    },
  }),
];
