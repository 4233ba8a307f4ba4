import { raw } from '@mikro-orm/core';
import { z } from 'zod';
import { text } from '#input-values';
import { prepared } from '#postgres-access';
import { command } from '../../engine/command.ts';
import type { ViewerContext } from '../../engine/context.ts';
import { wakePeriodic } from '../../engine/jobs/job-queue.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError, faults, type Issue } from '../../kernel/errors.ts';
import { requireOwned } from '../access/memberships.ts';
import { Invitation } from '../invitation/invitation.entity.ts';
import { lockOrganization } from '../organization/lock.ts';
import { Organization } from '../organization/organization.entity.ts';
import { now, tables } from '../tables/tables.ts';
import { Webhook } from '../webhook/webhook.entity.ts';

const input = z.strictObject({ name: text.meta({ description: 'The name of the organization, exactly.' }) });

/**
 * Deletes an organization (reference/leaving.md#deleting-an-organization): it is unknown at once, and its rows are deleted in
 * steps (`delete-steps.ts`). NOT_FOUND unless the viewer belongs to it; VALIDATION_ERROR at `/name` for another name.
 */
export const deleteOrganization = command({
  name: 'deleteOrganization',
  description:
    'Deletes an organization, whose name is repeated: it is unknown at once, and gone within an hour. For owners.',
  object: 'organization',
  access: 'user',
  people: true,
  small: true,
  input,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  // the role before the input, as for organizations in the header
  check: async (ctx, { name }, { id }) => {
    const { name: own } = await nameOfOwned(ctx, id);
    return typeof name === 'string' && name !== own ? [otherName] : [];
  },
  run: async (tx, { name }, { id: given }) => {
    const { id } = await nameOfOwned(tx, given);
    await lockOrganization(tx.db, id);
    // both may have changed before the lock
    if ((await nameOfOwned(tx, id)).name !== name) throw faults('VALIDATION_ERROR', [otherName]);
    await hideOrganization(tx, id);
    return { id };
  },
});

const otherName: Issue = {
  pointer: '/name',
  code: 'VALIDATION_ERROR',
  detail: 'Must be the name of the organization, exactly.',
};

const nameOf = prepared((at: { id: string }) =>
  tables.selectFrom('organization').select('name').where('id', '=', at.id),
);

async function nameOfOwned(ctx: ViewerContext, given: string): Promise<{ id: string; name: string }> {
  const { organizationId: id } = await requireOwned(ctx, given);
  const row = await ctx.db.row(nameOf({ id }));
  if (!row) throw new DomainError('NOT_FOUND');
  return { id, name: row.name };
}

const endMemberships = prepared((at: { id: string }) =>
  tables.deleteFrom('membership').where('organization_id', '=', at.id).returning('user_id as id'),
);

const endKeys = prepared((at: { id: string }) =>
  tables
    .updateTable('api_key')
    .set({ ended_at: now })
    .where('organization_id', '=', at.id)
    .where('ended_at', 'is', null)
    .returning('id'),
);

const endRequests = prepared((at: { id: string }) =>
  tables
    .deleteFrom('guest_request')
    .where('event_id', 'in', tables.selectFrom('event').select('id').where('organization_id', '=', at.id)),
);

/**
 * Ends memberships, invitations, keys, webhooks, requests of guests and the slug. Nobody can join any more; public pages,
 * calendars and links check `deleted_at`.
 */
export async function hideOrganization(tx: Transaction, id: string): Promise<void> {
  const { db, em, viewer, services, log } = tx;
  const members = await db.rows(endMemberships({ id }));
  const keys = await db.rows(endKeys({ id }));
  await em.nativeDelete(Invitation, { organization_id: id });
  await db.run(endRequests({ id }));
  await em.nativeUpdate(Webhook, { organization_id: id }, { status: 'paused' });
  await em.nativeUpdate(Organization, { id }, { deleted_at: raw('now()'), slug: id, signup: 'invite' });
  await db.run(wakePeriodic({ key: 'deletions' }));
  tx.afterCommit(() => {
    for (const user of [...members, ...keys]) services.access.forgetUser(user.id);
    services.jobs.nudge('periodic');
    log.info({ organizationId: id, userId: viewer?.userId ?? null }, 'an organization is being deleted');
  });
}
