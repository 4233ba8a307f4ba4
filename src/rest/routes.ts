import { accountRoutes } from './account.routes.ts';
import { auditRoutes } from './audit.routes.ts';
import { authRoutes } from './auth.routes.ts';
import { eventRoutes } from './events.routes.ts';
import { invitationRoutes } from './invitations.routes.ts';
import { memberRoutes } from './members.routes.ts';
import { organizationRoutes } from './organizations.routes.ts';
import type { Route } from './route.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { subscriptionRoutes } from './subscriptions.routes.ts';

/** Every REST operation; the router and the OpenAPI document are both made from this list. */
export function restRoutes(options: Parameters<typeof authRoutes>[0]): Route[] {
  return [
    ...authRoutes(options),
    ...accountRoutes,
    ...sessionRoutes,
    ...organizationRoutes,
    ...memberRoutes,
    ...invitationRoutes,
    ...auditRoutes,
    ...eventRoutes,
    ...subscriptionRoutes,
  ];
}
