import { raw } from '@mikro-orm/core';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { smallTransaction, type Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { proven } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { Event, eventStatuses } from '../event/event.entity.ts';
import { hideOrganization } from '../leaving/delete-organization.ts';
import { addMember } from '../organization/add-member.ts';
import { lockOrganization } from '../organization/lock.ts';
import { Membership } from '../organization/membership.entity.ts';
import { Organization } from '../organization/organization.entity.ts';
import { tables } from '../tables/tables.ts';
import { ifGiven, type OperatorPage, operatorPage } from './page.ts';
import { withNamedPerson } from './users.ts';

const organizations = tables
  .selectFrom('organization as o')
  .select(['o.id', 'o.name', 'o.slug', 'o.signup', 'o.created_at'])
  .where('o.deleted_at', 'is', null);

/** `search` is a part of the name or of the slug. Omits organizations that are being deleted. */
export async function listOrganizations({ db }: Context, { search }: { search: string | null }, page: OperatorPage) {
  const named = ifGiven(
    search?.toLowerCase() ?? null,
    (text) => sql`(strpos(lower(o.name), ${text}) > 0 or strpos(o.slug, ${text}) > 0)`,
  );
  return await db.rows(operatorPage(organizations.where(named), 'o.id', page));
}

const count = sql<number>`count(*)::int`.as('count');

const shown = prepared((at: { id: string }) =>
  organizations
    .select((eb) => [
      proven.select(count).whereRef('m.organization_id', '=', eb.ref('o.id')).as('members'),
      eb.selectFrom('event').select(count).whereRef('organization_id', '=', 'o.id').as('events'),
      eb
        .selectFrom('api_key')
        .select(count)
        .whereRef('organization_id', '=', 'o.id')
        .where('ended_at', 'is', null)
        .as('keys'),
      eb.selectFrom('webhook').select(count).whereRef('organization_id', '=', 'o.id').as('webhooks'),
      jsonArrayFrom(
        proven
          .select(['u.id', 'u.name', 'u.email'])
          .where('m.organization_id', '=', eb.ref('o.id'))
          .where('m.role', '=', sql.lit('owner'))
          .orderBy('u.email'),
      ).as('owners'),
    ])
    .where('o.id', '=', at.id),
);

export async function showOrganization({ db }: Context, given: string) {
  const id = parseUuid(given);
  const found = id && (await db.row(shown({ id })));
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

/**
 * Deletes an organization (reference/leaving.md#deleting-an-organization). If it has `moved`, its events still take place: they
 * are archived first, so that no mail says that they are cancelled.
 */
export async function deleteNamedOrganization(
  ctx: Context,
  given: string,
  { moved }: { moved: boolean },
): Promise<void> {
  await withOrganization(ctx, given, async (tx, id) => {
    if (moved)
      await tx.em.nativeUpdate(
        Event,
        { organization_id: id, status: eventStatuses.ACTIVE },
        { status: eventStatuses.ARCHIVED, version: raw('version + 1') },
      );
    await hideOrganization(tx, id);
  });
}

/** The person may be a member already. CONFLICT unless their address is verified. */
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

/** With the members locked. @throws DomainError NOT_FOUND */
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
