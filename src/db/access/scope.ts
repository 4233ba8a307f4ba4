import type { Connection } from 'pg';
import { protocolOf } from './driver.ts';

/**
 * Whose rows a statement may touch, where row-level security is on (note 0075): those of one organization, by its id, or those
 * of all. Null for those of none: the database then has only what belongs to no organization.
 */
export type Scope = string | typeof everyOrganization | null;

/** The scope of work that crosses organizations. */
export const everyOrganization = Symbol('every organization');

/** The role that crosses organizations, which the role of the connections may become (`ops/postgres/row-security.sql`). */
export const crossingRole = 'events_service';

/** The values of the settings of a scope: of `events.organization`, and of `role`. */
export function settingsOf(scope: Scope): [organization: string, role: string] {
  return scope === everyOrganization ? ['', crossingRole] : [scope ?? '', 'none'];
}

/** Applies a scope to the current transaction, given its {@link settingsOf}. */
export const scopeSql = `select set_config('events.organization', $1, true), set_config('role', $2, true)`;

/** The name under which connections that own their session keep {@link scopeSql}. */
const name = 'gateway_scope';

/** Prepares a session of its own for {@link sendScope}. */
export const prepareScopeSql = `prepare ${name} (text, text) as ${scopeSql}`;

/** Whether row-level security holds for the role of a connection; one table stands for all (`requireRowSecurity`). */
export const isRestrictedSql = `select row_security_active('event') and not pg_has_role('${crossingRole}', 'usage') as restricted`;

/** Why a connection is refused. */
export const unrestricted =
  'row-level security does not hold for the role of this connection: DATABASE_ROW_SECURITY=on needs that of ops/postgres/row-security.sql';

/**
 * Sends a scope in front of a statement of the extended protocol, before the same `Sync`: PostgreSQL takes both as one
 * transaction (section 54.2.4), or as part of the one that is open, so that nothing of it is left afterwards. It is answered
 * by a row and its end, which the statement must expect.
 *
 * @param isPrepared whether the connection has run {@link prepareScopeSql}
 */
export function sendScope(connection: Connection, scope: Scope, isPrepared: boolean): void {
  const protocol = protocolOf(connection);
  const statement = isPrepared ? name : '';
  if (statement === '') protocol.parse({ name: '', text: scopeSql });
  protocol.bind({ statement, values: settingsOf(scope) });
  protocol.execute();
}
