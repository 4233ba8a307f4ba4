import { type ZodType, z } from 'zod';
import { eventResource } from '../../domain/event/event.resource.ts';
import { availabilities } from '../../domain/event/event-moment.ts';
import { countNames } from '../../domain/event/subscription-counts.ts';
import { membershipResource } from '../../domain/organization/membership.resource.ts';
import { organizationResource } from '../../domain/organization/organization.resource.ts';
import { publicEventResource } from '../../domain/public/public-event.resource.ts';
import { eventPermissionNames, subscriptionPermissionNames } from '../../domain/subscription/permissions.ts';
import { subscriptionOfEventResource, subscriptionResource } from '../../domain/subscription/subscription.resource.ts';
import { errorCodes } from '../../kernel/errors.ts';
import { viewOf } from './list.schema.ts';

const subscriptionCountsSchema = z
  .strictObject(Object.fromEntries(countNames.map((name) => [name, z.int().min(0)])))
  .meta({ id: 'SubscriptionCounts' });

const permission = z
  .strictObject({
    allowed: z.boolean().meta({ description: 'Whether an otherwise correct request would succeed now.' }),
    code: z
      .enum(errorCodes)
      .nullable()
      .meta({ description: 'The code of the error that it would get; null if it is allowed.' }),
  })
  .meta({ id: 'Permission' });

const permissions = (names: readonly string[], id: string) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, permission]))).meta({
    id,
    description: 'What the viewer can do now.',
  });

/** What a row shows only if `fields` names it (reference/events.md#computed-fields). */
const ifNamed = (schema: ZodType, description: string, id?: string) =>
  schema.meta({ ...(id && { id }), description: `Only if \`fields\` names it: ${description}` }).optional();

const placesLeft = ifNamed(
  z.int().min(0).nullable(),
  'how many more subscriptions can be accepted; null without a capacity.',
);

const computed = {
  places_left: placesLeft,
  url: ifNamed(z.string().nullable(), 'the address of its public page; null while it has none.'),
  availability: ifNamed(
    z.enum(availabilities),
    'what would happen to a new subscription of the viewer now.',
    'Availability',
  ),
  subscription_counts: ifNamed(
    subscriptionCountsSchema.nullable(),
    'how many subscriptions the event has; null unless the viewer is a manager or owner.',
  ),
};

export const eventView = viewOf(eventResource, 'Event', {
  computed: {
    ...computed,
    viewer_can: ifNamed(
      permissions(eventPermissionNames, 'EventPermissions'),
      'what the viewer can do with the event now.',
    ),
  },
});

/** Exports have no answer to what their reader may do. */
export const exportedEventView = { ...eventView, computed };

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

export const waitingPosition = z
  .int()
  .min(1)
  .nullable()
  .meta({ description: 'The position on the waiting list, 1 is next; null unless `waitlisted`.' });

const computedOfSubscription = {
  waiting_position: ifNamed(waitingPosition, 'the position on the waiting list, 1 is next; null unless `waitlisted`.'),
};

export const subscriptionView = viewOf(subscriptionResource, 'Subscription', {
  relations: { user: relatedUser, event: eventView.schema },
  computed: {
    ...computedOfSubscription,
    viewer_can: ifNamed(
      permissions(subscriptionPermissionNames, 'SubscriptionPermissions'),
      'what the viewer can do with the subscription now.',
    ),
  },
});

export const exportedSubscriptionView = { ...subscriptionView, computed: computedOfSubscription };

/** Its list has fewer filters. */
export const subscriptionOfEventView = { ...subscriptionView, resource: subscriptionOfEventResource };

export const issueSchema = z
  .strictObject({
    pointer: z
      .string()
      .meta({ description: 'JSON pointer (RFC 6901) to the invalid value; empty for the whole input.' }),
    code: z.enum(errorCodes),
    detail: z.string(),
  })
  .meta({ id: 'Issue', description: 'What is wrong with the value at the pointer.' });

export const bulkIssueSchema = issueSchema
  .extend({
    errors: z.array(issueSchema).meta({ description: 'What is wrong with the values of the item.' }).optional(),
  })
  .meta({ id: 'BulkIssue', description: 'Why one item was refused.' });

export const publicEventView = viewOf(publicEventResource, 'PublicEvent', {
  computed: {
    places_left: placesLeft,
    url: ifNamed(z.string(), 'the address of its public page.'),
  },
});

export const organizationView = viewOf(organizationResource, 'Organization');

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

export const memberView = viewOf(membershipResource, 'Member', { relations: { user: relatedUser } });
