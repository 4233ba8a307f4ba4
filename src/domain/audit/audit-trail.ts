import { sql } from 'kysely';
import type { Strands } from '../../engine/list/resource.ts';
import { serveToMembers } from '../../engine/list/served-list.ts';
import { provenMemberships } from '../access/memberships.ts';
import { type AuditRow, auditResource } from './audit.resource.ts';

/**
 * Oldest first. Entries about a person's account and sessions are in the trail of every organization that the person
 * belonged to at the time.
 */
export const auditTrail = serveToMembers<AuditRow>({
  resource: auditResource,
  role: 'owner',
  strands: ({ owner }) => sharedStrands(owner),
});

/** The shared entries of people who belonged to this organization and others, limited to their time of membership. */
function sharedStrands(organizationId: string): Strands {
  return {
    table: sql`(
      select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at from ${provenMemberships} m
      where m.organization_id = ${organizationId}::uuid and m.shares_trail
      union all
      select f.user_id, f.began_at, f.ended_at from former_membership f where f.organization_id = ${organizationId}::uuid
    )`,
    // the subject is the person, so a filter by subject excludes all other strands
    link: sql`t.person_id = s.user_id and t.subject_id = s.user_id
      and t.created_at >= s.began_at and t.created_at < s.ended_at`,
  };
}
