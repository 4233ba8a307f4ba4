import type { Pool } from 'pg';
import { crossingRole } from './access/scope.ts';

/** The role of the connections, as `ops/postgres/row-security.sql` makes it. */
const scopedRole = 'events_scoped';

/** The tables whose rows belong to an organization: itself, what names one, and what refers to such a table. */
export const tablesOfOrganizations = `with recursive belonging as (
    select c.oid from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and (c.relname = 'organization' or exists (
      select from pg_attribute where attrelid = c.oid and attname = 'organization_id' and not attisdropped))
    union
    select c.conrelid from pg_constraint c join belonging on c.confrelid = belonging.oid where c.contype = 'f')`;

interface Found {
  role: string;
  isSuperuser: boolean;
  bypasses: boolean;
  /** Null if there is no role that crosses organizations. */
  crosses: boolean | null;
  mayCross: boolean | null;
  /** The tables without row-level security, and the views that would read more than their reader may. */
  open: string[];
  /** The tables whose row-level security does not hold for the role. */
  passed: string[];
}

const statement = `${tablesOfOrganizations},
  crossing as (select oid from pg_roles where rolname = '${crossingRole}'),
  view as (select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
    and not coalesce(reloptions, '{}') @> array['security_invoker=true'])
  select r.rolname as role, r.rolsuper as "isSuperuser", r.rolbypassrls as bypasses,
    (select pg_has_role(oid, 'usage') from crossing) as crosses, (select pg_has_role(oid, 'member') from crossing) as "mayCross",
    array(
      select c.relname::text from belonging join pg_class c using (oid) where not c.relrowsecurity or not exists (
        select from pg_policy where polrelid = c.oid and polname = 'within_organization')
      union all select relname::text from view order by 1) as open,
    array(select c.relname::text from belonging join pg_class c using (oid)
      where c.relrowsecurity and not row_security_active(c.oid) order by 1) as passed
  from pg_roles r where r.rolname = current_user`;

/** @throws Error unless the database keeps organizations apart for the role of the pool (note 0075) */
export async function requireRowSecurity(pool: Pool): Promise<void> {
  const { rows } = await pool.query<Found>(statement);
  const fault = faultOf(rows[0] as Found);
  if (fault) throw new Error(`DATABASE_ROW_SECURITY is on, but ${fault}.`);
}

function faultOf({ role, isSuperuser, bypasses, crosses, mayCross, open, passed }: Found): string | null {
  const remedy = `connect as ${scopedRole} (docs/operations/README.md#row-level-security)`;
  if (isSuperuser) return `the role ${role} is a superuser, whom it does not hold for; ${remedy}`;
  if (bypasses) return `the role ${role} has BYPASSRLS; ${remedy}`;
  if (open.length > 0) {
    return `${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} open to all organizations; run ops/postgres/row-security.sql`;
  }
  if (passed.length > 0)
    return `the role ${role} owns ${passed.join(', ')}, whose policies do not hold for it; ${remedy}`;
  if (crosses) return `the role ${role} sees all organizations; ${remedy}`;
  if (!mayCross) return `the role ${role} may not become ${crossingRole}, which jobs and signing in need; ${remedy}`;
  return null;
}

/** @throws Error if the database restricts the role of the pool to an organization that no statement would name */
export async function refuseRowSecurity(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ restricted: boolean }>(
    `select current_user = '${scopedRole}' and row_security_active('organization') as restricted`,
  );
  if (!rows[0]?.restricted) return;
  throw new Error(`The role ${scopedRole} sees no organization unless DATABASE_ROW_SECURITY is on.`);
}
