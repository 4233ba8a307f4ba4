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
import './relay/node.ts';
import './nouns/event-form.ts';
import './nouns/public-event.ts';
import './nouns/subscription-mutations.ts';
import { builder } from './builder/builder.ts';
import { requireNodeDefinitions } from './relay/node-types.ts';

requireNodeDefinitions();

/** The GraphQL schema. */
export const schema = builder.toSchema({ sortSchema: false });
