import { z } from 'zod';
import { apiKeyResource } from '../../domain/api-key/api-key.resource.ts';
import { auditResource } from '../../domain/audit/audit.resource.ts';
import { eventResource } from '../../domain/event/event.resource.ts';
import { availabilities } from '../../domain/event/event-moment.ts';
import { countNames } from '../../domain/event/subscription-counts.ts';
import { invitationResource } from '../../domain/invitation/invitation.resource.ts';
import { membershipResource } from '../../domain/organization/membership.resource.ts';
import { organizationResource } from '../../domain/organization/organization.resource.ts';
import { publicEventResource } from '../../domain/public/public-event.resource.ts';
import { sessionResource } from '../../domain/session/session.resource.ts';
import { subscriptionResource } from '../../domain/subscription/subscription.resource.ts';
import { subscriptionChangeResource } from '../../domain/subscription/subscription-change.resource.ts';
import { webhookDeliveryResource, webhookResource } from '../../domain/webhook/webhook.resource.ts';
import { errorStatus } from '../../http/errors.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { resourceSchema } from './list.schema.ts';

const subscriptionCountsSchema = z
  .strictObject(Object.fromEntries(countNames.map((name) => [name, z.int().min(0)])))
  .meta({ id: 'SubscriptionCounts' });

/** What an event shows only if `fields` names it (interface/resources.md#computed-fields). */
export const computedEventFields = {
  availability: z
    .enum(availabilities)
    .meta({
      id: 'Availability',
      description: 'Only if `fields` names it: what would happen to a new subscription of the viewer now.',
    })
    .optional(),
  subscription_counts: subscriptionCountsSchema
    .nullable()
    .meta({
      description:
        'Only if `fields` names it: how many subscriptions the event has; null unless the viewer is a manager or owner.',
    })
    .optional(),
};

export const eventSchema = resourceSchema(eventResource, 'Event', computedEventFields);

const relatedUser = z
  .strictObject({
    id: z.guid(),
    name: z
      .string()
      .nullable()
      .meta({ description: "The account's name; null if the user is only a guest in the organization." }),
    avatar_url: z.string().nullable(),
    email: z.string().nullable().optional().meta({ description: 'Only for managers and owners; null without one.' }),
  })
  .meta({ id: 'RelatedUser' });

export const subscriptionSchema = resourceSchema(subscriptionResource, 'Subscription', {
  user: relatedUser.optional().meta({ description: 'With `include=user`.' }),
  event: eventSchema.optional().meta({ description: 'With `include=event`.' }),
});

export const subscriptionChangeSchema = resourceSchema(subscriptionChangeResource, 'SubscriptionChange');

export const issueSchema = z
  .strictObject({
    pointer: z
      .string()
      .meta({ description: 'JSON pointer (RFC 6901) to the invalid value; empty for the whole input.' }),
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    detail: z.string(),
  })
  .meta({ id: 'Issue', description: 'What is wrong with the value at the pointer.' });

export const publicEventSchema = resourceSchema(publicEventResource, 'PublicEvent');

export const sessionSchema = resourceSchema(sessionResource, 'Session');

export const apiKeySchema = resourceSchema(apiKeyResource, 'ApiKey');

export const newApiKeySchema = resourceSchema(apiKeyResource, 'NewApiKey', {
  secret: z.string().meta({ description: 'What the machine signs in with; shown this once.' }),
});

export const organizationSchema = resourceSchema(organizationResource, 'Organization');

export const waitingMailsSchema = z
  .strictObject({
    waiting: z
      .int()
      .min(0)
      .max(20_000)
      .meta({ description: 'The number of waiting mails to subscribers and guests; at most 20,000 are counted.' }),
    next_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the next of them can be sent; null if none is waiting.' }),
  })
  .meta({ id: 'WaitingMails' });

export const memberSchema = resourceSchema(membershipResource, 'Member', {
  user: relatedUser.optional().meta({ description: 'With `include=user`.' }),
});

export const invitationSchema = resourceSchema(invitationResource, 'Invitation');

export const auditEntrySchema = resourceSchema(auditResource, 'AuditEntry');

export const webhookSchema = resourceSchema(webhookResource, 'Webhook');

export const webhookWithSecretSchema = resourceSchema(webhookResource, 'CreatedWebhook', {
  secret: z.string().meta({ description: 'Signs the deliveries; shown this once.' }),
});

export const webhookDeliverySchema = resourceSchema(webhookDeliveryResource, 'WebhookDelivery');
