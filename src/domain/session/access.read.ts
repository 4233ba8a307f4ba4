import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Database } from '../../engine/database.ts';
import type { KeyScope, Membership } from '../../kernel/request.ts';
import { isLiveKey, proven } from '../access/memberships.ts';
import { tables } from '../tables/tables.ts';
import { isLiving } from './session-life.ts';

export interface SessionAccess {
  userId: string;
  memberships: ReadonlyMap<string, Membership>;
  /** Whether these are all memberships of the user. */
  complete: boolean;
}

/** Memberships that are read and cached with a session. */
const maxMemberships = 50;

const accessOf = prepared((at: { sessionId: string }) =>
  tables
    .selectFrom('session')
    .leftJoin(proven.select(['m.user_id', 'm.organization_id', 'm.role']).as('m'), 'm.user_id', 'session.user_id')
    .leftJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['session.user_id', 'm.organization_id', 'm.role', 'o.maker_id'])
    .where('session.id', '=', at.sessionId)
    .where(isLiving)
    .limit(sql.lit(maxMemberships + 1)),
);

/** In one statement; null if the session is not active. */
export async function findSessionAccess(db: Database, sessionId: string): Promise<SessionAccess | null> {
  const result = await db.rows(accessOf({ sessionId }));
  const [first] = result;
  if (!first) return null;
  const memberships = new Map<string, Membership>();
  for (const { organization_id: organizationId, role, maker_id: makerId } of result.slice(0, maxMemberships)) {
    if (organizationId !== null && role !== null) memberships.set(organizationId, { organizationId, role, makerId });
  }
  return { userId: first.user_id, memberships, complete: result.length <= maxMemberships };
}

export interface ActiveKey extends SessionAccess {
  scope: KeyScope;
  /** Unix milliseconds; infinite if it never expires. */
  expiresAt: number;
  /** Of its last recorded use, in Unix minutes; 0 if there is none. */
  usedMinute: number;
}

const keyOf = prepared((at: { hash: string }) =>
  tables
    .selectFrom('api_key as k')
    .innerJoin('organization as o', 'o.id', 'k.organization_id')
    .select([
      'k.id',
      'k.organization_id',
      'k.role',
      'o.maker_id',
      'k.access',
      'k.webhooks',
      sql<number | null>`(extract(epoch from k.expires_at) * 1000)::float8`.as('expires'),
      sql<number>`coalesce(floor(extract(epoch from k.last_used_at) / 60), 0)::int`.as('used_minute'),
    ])
    .where('k.hash', '=', at.hash)
    .where(isLiveKey),
);

/** By the hash of the secret; null if it is unknown, ended or expired. */
export async function findActiveKey(db: Database, hash: string): Promise<ActiveKey | null> {
  const row = await db.row(keyOf({ hash }));
  if (!row) return null;
  const { organization_id: organizationId, role, maker_id: makerId, access, webhooks } = row;
  return {
    userId: row.id,
    memberships: new Map([[organizationId, { organizationId, role, makerId }]]),
    complete: true,
    scope: { organizationId, access, webhooks },
    expiresAt: row.expires ?? Number.POSITIVE_INFINITY,
    usedMinute: row.used_minute,
  };
}
