import { restRoutes } from '../../src/rest/routes.ts';

/** All operations of REST, for tests that only look at what they declare. */
export const routesOfTest = restRoutes({
  publicUrl: 'http://localhost:3000',
  trustsOrigin: () => false,
  cookieSecrets: () => [],
});
