import './relay/scalars.ts';
import './nouns/enums.ts';
import './nouns/event.ts';
import './nouns/subscription.ts';
import './nouns/event-subscriptions.ts';
import './nouns/subscription-change.ts';
import './nouns/user.ts';
import './nouns/organization.ts';
import './nouns/member.ts';
import './nouns/invitation.ts';
import './nouns/webhook.ts';
import './nouns/session.ts';
import './nouns/api-key.ts';
import './nouns/audit.ts';
import './nouns/change.ts';
import './nouns/event-form.ts';
import './nouns/public-event.ts';
import './nouns/subscription-mutations.ts';
import { isObjectType } from 'graphql';
import { endingReads } from '../domain/reads.ts';
import { deprecationReason } from '../kernel/deprecation.ts';
import { builder } from './builder/builder.ts';
import type { FieldExtensions } from './builder/field-extensions.ts';
import { globalIdOf } from './builder/global-id.ts';

export const schema = builder.toSchema({ sortSchema: false });

// Pothos has no option for it
schema.description =
  'Events of organizations, and subscriptions to them. The reference, also of REST, is at `/docs`. The header `authorization` signs in, `x-organization-id` names the organization, and the codes of errors are those of `ErrorCode`.';

for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
  const fields = type.getFields();
  for (const field of Object.values(fields)) {
    const { command, read } = field.extensions as FieldExtensions;
    const ending = command?.deprecated ?? (read && endingReads[read]);
    if (ending) field.deprecationReason = deprecationReason(ending);
  }
  const isNode = type.getInterfaces().some(({ name }) => name === 'Node');
  if (isNode && fields.id) fields.id.resolve = globalIdOf(type.name);
}
