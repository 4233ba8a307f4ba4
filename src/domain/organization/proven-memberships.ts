import { raw, type Sql } from 'sql-template-tag';

/**
 * The valid memberships, to be used instead of the table: those of verified accounts. An import may create others, which
 * have no effect until the account is verified (docs/decisions/0022).
 */
export const provenMemberships: Sql = raw(
  `select m.* from membership m join "user" u on u.id = m.user_id where u.verified_at is not null`,
);
