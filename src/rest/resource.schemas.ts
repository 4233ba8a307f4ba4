import { z } from 'zod';
import { eventResource } from '../domain/event/event.resource.ts';
import { subscriptionResource } from '../domain/subscription/subscription.resource.ts';
import { resourceSchema } from './list.schema.ts';

export const eventSchema = resourceSchema(eventResource, 'Event');

const relatedUser = z
  .strictObject({
    id: z.guid(),
    name: z.string(),
    avatar_url: z.string().nullable(),
    email: z.string().optional().meta({ description: 'For owners and managers.' }),
  })
  .meta({ id: 'RelatedUser' });

export const subscriptionSchema = resourceSchema(subscriptionResource, 'Subscription', {
  user: relatedUser.meta({ description: 'With `include=user`.' }),
  event: eventSchema.meta({ description: 'With `include=event`.' }),
});
