import { authRoutes } from './auth.routes.ts';
import { eventRoutes } from './events.routes.ts';
import type { Route } from './route.ts';
import { subscriptionRoutes } from './subscriptions.routes.ts';

/** Every REST operation; the router and the OpenAPI document are both made from this list. */
export function restRoutes(options: Parameters<typeof authRoutes>[0]): Route[] {
  return [...authRoutes(options), ...eventRoutes, ...subscriptionRoutes];
}
