import { eventResource } from '../../domain/event/event.resource.ts';
import { type PublicEventRow, publicEventResource } from '../../domain/public/public-event.resource.ts';
import { builder } from '../builder/builder.ts';
import { resourceFields } from '../relay/node-fields.ts';

const { status } = eventResource.fields;
const common = { ...publicEventResource, fields: { ...publicEventResource.fields, status } };

/** Each type resolves it from its own columns. */
export const placesLeftField = {
  nullable: true,
  description: 'How many more subscriptions can be accepted; null without a capacity.',
} as const;

/** Each type defines the fields again, with its own columns. */
export const EventFieldsRef = builder.interfaceRef<PublicEventRow>('EventFields').implement({
  description: 'The fields that `Event` and `PublicEvent` have in common.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Global id.' }),
    ...resourceFields(t, common),
    placesLeft: t.int(placesLeftField),
    url: t.string({ nullable: true, description: 'The address of its public page; null while it has none.' }),
  }),
});
