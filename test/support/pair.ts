import { AccessTokens } from '#session-tokens';
import { completeSecrets } from '../../src/config/secrets.ts';
import type { Orm } from '../../src/db/orm.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { type ChildService, startChildService } from './child-service.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { insertOrganization } from './fixtures.ts';
import type { Caller } from './graphql.ts';
import { sharedFolder } from './shared.ts';
import { graphqlFace, restFace, type WriteFace } from './write-faces.ts';

/** Somebody with a session in an organization. */
export interface Signed extends Required<Caller> {
  userId: string;
}

/** Two service processes on one database. */
export interface Pair {
  orm: Orm;
  /** Runs a statement, and gives its rows. */
  execute: TestDatabase['execute'];
  databaseUrl: string;
  organizationId: string;
  /** Where one of them listens now. */
  url(index: number): string;
  /** One of both faces of both processes. */
  face(index: number): WriteFace;
  /** Ends a process as a power cut would; the next one listens elsewhere. */
  kill(index: number): Promise<void>;
  restart(index: number): Promise<void>;
  /** One more process; it ends with the pair. */
  another(env: Record<string, string>): Promise<ChildService>;
  /** People with a session each, without the seconds that so many sign-ins take. */
  people(count: number, role?: OrganizationRole): Promise<Signed[]>;
  close(): Promise<void>;
}

/**
 * Starts two replicas with enough connections for real concurrency.
 *
 * @param args of serve.ts
 */
export async function startPair(given: Record<string, string> = {}, args: string[] = []): Promise<Pair> {
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
  const faces = [0, 1].flatMap((index) => [restFace(() => service(index).url), graphqlFace(() => service(index).url)]);
  return {
    orm,
    execute: database.execute,
    databaseUrl,
    organizationId,
    url: (index) => service(index).url,
    face: (index) => faces[index % faces.length] as WriteFace,
    kill: (index) => service(index).kill(),
    restart: async (index) => {
      services[index % services.length] = await startChildService(env, args);
    },
    another: async (further) => {
      const started = await startChildService({ ...env, ...further }, args);
      others.push(started);
      return started;
    },
    people: async (count, role = 'member') => {
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
}
