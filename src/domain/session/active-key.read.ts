import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Database } from '../../engine/database.ts';
import type { KeyScope } from '../../kernel/request.ts';
import { isLiveKey } from '../access/live-key.ts';
import { tables } from '../tables/tables.ts';
import type { SessionAccess } from './access.read.ts';

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
