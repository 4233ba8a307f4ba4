import { AccessTokens } from '#session-tokens';
import { completeSecrets } from '../../src/config/secrets.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { type ChildService, startChildService } from './child-service.ts';
import { createTestDatabase } from './database.ts';
import { insertOrganization } from './fixtures.ts';
import type { Caller } from './send.ts';
import { shared, sharedFolder } from './shared.ts';
import { facesOf, type WriteFace } from './write-faces.ts';

/** Somebody with a session in an organization. */
export interface Signed extends Required<Caller> {
  userId: string;
}

/**
 * Starts two service processes on one database, with enough connections for real concurrency, for all tests of a file.
 *
 * @param args of serve.ts
 */
export async function startPair(given: Record<string, string> = {}, args: string[] = []) {
  const database = await createTestDatabase();
  const { orm, url: databaseUrl } = database;
  const dataDir = await sharedFolder();
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, RATE_LIMIT: 'off', DATABASE_POOL_SIZE: '12', ...given };
  const { privateKeys } = await completeSecrets({}, dataDir);
  const issuer = 'http://events.test';
  const tokens = new AccessTokens({ privateKeys, issuer, audience: issuer });
  const { id: organizationId } = await insertOrganization(orm);
  const services = await Promise.all([startChildService(env, args), startChildService(env, args)]);
  const others: ChildService[] = [];
  const service = (index: number) => services[index % services.length] as ChildService;
  const faces = [0, 1].flatMap((index) =>
    facesOf({
      get url() {
        return service(index).url;
      },
    }),
  );
  const pair = {
    orm,
    execute: database.execute,
    databaseUrl,
    organizationId,
    /** Where one of them listens now. */
    url: (index: number) => service(index).url,
    /** One of both faces of both processes. */
    face: (index: number) => faces[index % faces.length] as WriteFace,
    /** Ends a process as a power cut would; the next one listens elsewhere. */
    kill: (index: number) => service(index).kill(),
    restart: async (index: number) => {
      services[index % services.length] = await startChildService(env, args);
    },
    /** One more process; it ends with the pair. */
    another: async (further: Record<string, string>) => {
      const started = await startChildService({ ...env, ...further }, args);
      others.push(started);
      return started;
    },
    /** People with a session each, without the seconds that so many sign-ins take. */
    people: async (count: number, role: OrganizationRole = 'member'): Promise<Signed[]> => {
      const rows = await orm.em.fork().execute<{ user_id: string; session_id: string }[]>(
        `with made as (
            insert into "user" (id, email, mailbox, name, verified_at) select gen_random_uuid(), address, address, 'Somebody ' || n, now()
              from (select gen_random_uuid() || '@example.org' as address, n from generate_series(1, ?) n) made returning id
          ), joined as (
            insert into membership (id, organization_id, user_id, role) select gen_random_uuid(), ?, id, ? from made
          )
          insert into session (id, user_id, expires_at) select gen_random_uuid(), id, now() + interval '1 day' from made
          returning user_id, id as session_id`,
        [count, organizationId, role],
      );
      return await Promise.all(
        rows.map(async ({ user_id: userId, session_id: sessionId }) => {
          const { token } = await tokens.issue({ userId, sessionId, now: new Date() });
          return { userId, organizationId, accessToken: token };
        }),
      );
    },
    close: async () => {
      await Promise.all([...services, ...others].map((each) => each.kill()));
      await database.drop();
    },
  };
  return await shared(Promise.resolve(pair));
}
