import sql from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import type { KeyScope, OrganizationRole } from '../../kernel/request.ts';
import type { SessionAccess } from './access.read.ts';

/** An API key that can sign in, with its role in its organization. */
export interface ActiveKey extends SessionAccess {
  scope: KeyScope;
  /** Unix milliseconds; infinite if it never expires. */
  expiresAt: number;
  /** The minute of its last recorded use, in Unix minutes; 0 if there is none. */
  usedMinute: number;
}

interface ActiveKeyRow {
  id: string;
  organization_id: string;
  role: OrganizationRole;
  maker_id: string | null;
  access: KeyScope['access'];
  expires: number | null;
  used_minute: number;
}

/** The key with the hash of a secret; null if it is unknown, ended or expired. */
export async function findActiveKey(db: Database, hash: string): Promise<ActiveKey | null> {
  const row = await db.row<ActiveKeyRow>(
    sql`select k.id, k.organization_id, k.role, o.maker_id, k.access, (extract(epoch from k.expires_at) * 1000)::float8 as expires,
          coalesce(floor(extract(epoch from k.last_used_at) / 60), 0)::int as used_minute
        from api_key k join organization o on o.id = k.organization_id
        where k.hash = ${hash} and k.ended_at is null and (k.expires_at is null or k.expires_at > now())`,
    { prepared: true },
  );
  if (!row) return null;
  const {
    id,
    organization_id: organizationId,
    role,
    maker_id: makerId,
    access,
    expires,
    used_minute: usedMinute,
  } = row;
  return {
    userId: id,
    memberships: new Map([[organizationId, { organizationId, role, makerId }]]),
    complete: true,
    scope: { organizationId, access },
    expiresAt: expires ?? Number.POSITIVE_INFINITY,
    usedMinute,
  };
}
