import './scalars.ts';
import './event.ts';
import './subscription.ts';
import './user.ts';
import './organization.ts';
import './member.ts';
import './invitation.ts';
import './session.ts';
import './audit.ts';
import './node.ts';
import './session-mutations.ts';
import './organization-mutations.ts';
import './invitation-mutations.ts';
import { builder } from './builder.ts';

/** The GraphQL schema. */
export const schema = builder.toSchema({ sortSchema: false });
