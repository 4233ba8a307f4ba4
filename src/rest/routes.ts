import { accountRoutes } from './nouns/account.routes.ts';
import { apiKeyRoutes } from './nouns/api-keys.routes.ts';
import { auditRoutes } from './nouns/audit.routes.ts';
import { authRoutes } from './nouns/auth.routes.ts';
import { calendarRoutes } from './nouns/calendar.routes.ts';
import { changeRoutes } from './nouns/changes.routes.ts';
import { eventRoutes } from './nouns/events.routes.ts';
import { exportRoutes } from './nouns/export.routes.ts';
import { formRoutes } from './nouns/forms.routes.ts';
import { guestRoutes } from './nouns/guests.routes.ts';
import { invitationRoutes } from './nouns/invitations.routes.ts';
import { leavingRoutes } from './nouns/leaving.routes.ts';
import { memberRoutes } from './nouns/members.routes.ts';
import { organizationRoutes } from './nouns/organizations.routes.ts';
import { publicEventRoutes } from './nouns/public-events.routes.ts';
import { sessionRoutes } from './nouns/sessions.routes.ts';
import { subscriptionRoutes } from './nouns/subscriptions.routes.ts';
import { webhookRoutes } from './nouns/webhooks.routes.ts';
import type { Route } from './server/route.ts';

export function restRoutes(options: Parameters<typeof authRoutes>[0]): Route[] {
  return [
    ...authRoutes(options),
    ...accountRoutes,
    ...sessionRoutes,
    ...leavingRoutes,
    ...organizationRoutes,
    ...memberRoutes,
    ...invitationRoutes,
    ...apiKeyRoutes,
    ...auditRoutes,
    ...exportRoutes,
    ...calendarRoutes(options),
    ...eventRoutes,
    ...formRoutes,
    ...subscriptionRoutes,
    ...changeRoutes(options),
    ...publicEventRoutes,
    ...guestRoutes,
    ...webhookRoutes,
  ];
}

/** The operations that accept bodies of up to 1 MiB. */
export const largeBodies: readonly Pick<Route, 'method' | 'path'>[] = [
  ...formRoutes,
  ...subscriptionRoutes,
  ...guestRoutes,
].filter(({ largeBody }) => largeBody);
