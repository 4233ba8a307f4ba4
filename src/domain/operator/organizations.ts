import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { smallTransaction, type Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { provenMemberships } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { hideOrganization } from '../leaving/delete-organization.ts';
import { addMember } from '../organization/add-member.ts';
import { lockOrganization } from '../organization/lock.ts';
import { Membership } from '../organization/membership.entity.ts';
import { Organization } from '../organization/organization.entity.ts';
import { ifGiven, type OperatorPage, operatorPageSql } from './page.ts';
import { withNamedPerson } from './users.ts';

type Row = Record<string, unknown>;

const columns = sql`t.id, t.name, t.slug, t.signup, t.created_at`;

/** Organizations that are not being deleted; `search` is a part of the name or of the slug. */
export async function listOrganizations(
  { db }: Context,
  { search }: { search: string | null },
  page: OperatorPage,
): Promise<Row[]> {
  const named = ifGiven(
    search?.toLowerCase() ?? null,
    (text) => sql`(strpos(lower(t.name), ${text}) > 0 or strpos(t.slug, ${text}) > 0)`,
  );
  return await db.rows(
    sql`select ${columns} from organization t ${operatorPageSql(sql`t.deleted_at is null and ${named}`, page)}`,
  );
}

/** An organization with its owners and how much it has. @throws DomainError NOT_FOUND */
export async function showOrganization({ db }: Context, given: string): Promise<Row & { id: string; name: string }> {
  const found = await db.row<Row & { id: string; name: string }>(sql`select ${columns},
      (select count(*)::int from (${provenMemberships}) m where m.organization_id = t.id) as members,
      (select count(*)::int from event where organization_id = t.id) as events,
      (select count(*)::int from api_key where organization_id = t.id and ended_at is null) as keys,
      (select count(*)::int from webhook where organization_id = t.id) as webhooks,
      coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) order by u.email)
        from (${provenMemberships}) m join "user" u on u.id = m.user_id
        where m.organization_id = t.id and m.role = 'owner'), '[]') as owners
    from organization t where t.id = ${parseUuid(given)}::uuid and t.deleted_at is null`);
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

/**
 * Deletes an organization (interface/leaving.md#deleting-an-organization); the service deletes its rows. The events of one that
 * has moved take place: they are archived first, so that no mail says that they are cancelled.
 */
export async function deleteNamedOrganization(
  ctx: Context,
  given: string,
  { moved }: { moved: boolean },
): Promise<void> {
  await withOrganization(ctx, given, async (tx, id) => {
    if (moved)
      await tx.db.run(sql`update event set status = ${eventStatuses.ARCHIVED}, version = version + 1
        where organization_id = ${id}::uuid and status = ${eventStatuses.ACTIVE}`);
    await hideOrganization(tx, id);
  });
}

/** Makes a person an owner, whether they are a member yet or not. CONFLICT unless their address is verified. */
export async function addOwner(ctx: Context, given: string, person: string): Promise<void> {
  await withNamedPerson(ctx, person, async (own, user) => {
    if (user.verified_at === null) throw new DomainError('CONFLICT', { detail: 'The address is not verified.' });
    await withOrganization(own, given, async (tx, organizationId) => {
      const place = { organizationId, subjectId: user.id };
      const pair = { organization_id: organizationId, user_id: user.id };
      const membership = await tx.em.findOne(Membership, pair);
      if (membership?.role === 'owner') return;
      if (membership) {
        const { role: from } = membership;
        membership.role = 'owner';
        await tx.em.flush();
        await recordAudit(tx, { ...place, action: 'member.role_changed', detail: { from, to: 'owner' } });
      } else {
        await addMember(tx, { ...pair, role: 'owner' });
        await recordAudit(tx, { ...place, action: 'member.joined', detail: { role: 'owner' } });
      }
      tx.afterCommit(() => tx.services.access.forgetUser(user.id));
    });
  });
}

/** Runs a change of an organization, whose members are locked. @throws DomainError NOT_FOUND */
async function withOrganization(
  ctx: Context | Transaction,
  given: string,
  change: (tx: Transaction, id: string) => Promise<void>,
): Promise<void> {
  const id = parseUuid(given);
  if (id === null) throw new DomainError('NOT_FOUND');
  await smallTransaction(ctx, async (tx) => {
    await lockOrganization(tx.db, id);
    if (!(await tx.em.findOne(Organization, { id, deleted_at: null }))) throw new DomainError('NOT_FOUND');
    await change(tx, id);
  });
}
