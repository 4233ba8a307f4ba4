import sql from 'sql-template-tag';
import { z } from 'zod';
import { command } from '../../engine/command.ts';
import type { ViewerContext } from '../../engine/context.ts';
import { wakePeriodic } from '../../engine/jobs/job-queue.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError, faults, type Issue } from '../../kernel/errors.ts';
import { text } from '../../kernel/input/text.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { findMembership } from '../access/memberships.ts';
import { lockOrganization } from '../organization/lock.ts';

const input = z.strictObject({ name: text.meta({ description: 'The name of the organization, exactly.' }) });

/**
 * Deletes an organization (interface/leaving.md#deleting-an-organization): from now on it is unknown, and its rows go step by step
 * (`delete-steps.ts`). Returns its id.
 *
 * NOT_FOUND unless the viewer belongs to it; FORBIDDEN unless as an owner; VALIDATION_ERROR at `/name` for another name.
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
  // the role before the input, as where the organization is in the header
  check: async (ctx, { name }, { id }) => {
    const { name: own } = await requireOwned(ctx, id);
    return typeof name === 'string' && name !== own ? [otherName] : [];
  },
  run: async (tx, { name }, { id: given }) => {
    const { id } = await requireOwned(tx, given);
    await lockOrganization(tx.db, id);
    // both may have changed before the lock
    if ((await requireOwned(tx, id)).name !== name) throw faults('VALIDATION_ERROR', [otherName]);
    await hideOrganization(tx, id);
    return { id };
  },
});

const otherName: Issue = {
  pointer: '/name',
  code: 'VALIDATION_ERROR',
  detail: 'Must be the name of the organization, exactly.',
};

/** @throws DomainError NOT_FOUND, FORBIDDEN */
async function requireOwned(
  { db, viewer }: Pick<ViewerContext, 'db' | 'viewer'>,
  given: string,
): Promise<{ id: string; name: string }> {
  const id = parseUuid(given);
  const membership = id && (await findMembership(db, viewer.userId, id));
  if (!id || !membership) throw new DomainError('NOT_FOUND');
  if (membership.role !== 'owner') throw new DomainError('FORBIDDEN');
  const row = await db.row<{ name: string }>(sql`select name from organization where id = ${id}::uuid`);
  if (!row) throw new DomainError('NOT_FOUND');
  return { id, name: row.name };
}

/**
 * Takes away whatever leads to the organization: memberships, invitations, keys, webhooks, requests of guests and its slug.
 * Nobody can join it, and public pages, calendars and links look at `deleted_at`.
 */
export async function hideOrganization(tx: Transaction, id: string): Promise<void> {
  const { db, viewer, services, log } = tx;
  const of = sql`organization_id = ${id}::uuid`;
  const members = await db.rows<{ id: string }>(sql`delete from membership where ${of} returning user_id as id`);
  const keys = await db.rows<{ id: string }>(
    sql`update api_key set ended_at = now() where ${of} and ended_at is null returning id`,
  );
  await db.run(sql`delete from invitation where ${of}`);
  await db.run(sql`delete from guest_request where event_id in (select id from event where ${of})`);
  await db.run(sql`update webhook set status = 'paused' where ${of}`);
  await db.run(
    sql`update organization set deleted_at = now(), slug = id::text, signup = 'invite' where id = ${id}::uuid`,
  );
  await db.run(wakePeriodic('deletions'));
  tx.afterCommit(() => {
    for (const user of [...members, ...keys]) services.access.forgetUser(user.id);
    services.jobs.nudge('periodic');
    log.info({ organizationId: id, userId: viewer?.userId ?? null }, 'an organization is being deleted');
  });
}
