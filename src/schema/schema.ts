import './scalars.ts';
import './event.ts';
import './subscription.ts';
import './user.ts';
import './organization.ts';
import './node.ts';
import { builder } from './builder.ts';

/** The GraphQL schema. */
export const schema = builder.toSchema({ sortSchema: false });
