import sql from 'sql-template-tag';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { everyMembership, provenMemberships } from '../access/memberships.ts';
import { erasePerson } from './erase-person.ts';
import type { Person } from './erase-traces.ts';

/**
 * Erases a user, who is locked, unless an organization would be left without an owner.
 *
 * @throws DomainError CONFLICT
 */
export async function eraseMember(tx: Transaction, person: Person): Promise<void> {
  const organizationIds = await lockOwnOrganizations(tx, person.id);
  await requireOtherOwners(tx, person.id);
  await erasePerson(tx, person, organizationIds);
}

/** Locks the organizations that a user belongs to, in the common order of locks, and returns their ids. */
async function lockOwnOrganizations({ db }: Transaction, userId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`select id from organization
      where id in (select organization_id from ${everyMembership} where user_id = ${userId}::uuid)
      order by id for no key update`);
  return rows.map(({ id }) => id);
}

/** @throws DomainError CONFLICT, with the names of the organizations that nobody else owns */
async function requireOtherOwners({ db, viewer }: Transaction, userId: string): Promise<void> {
  const orphans = await db.rows<{ name: string }>(sql`select o.name from ${everyMembership} own
      join organization o on o.id = own.organization_id
      where own.user_id = ${userId}::uuid and own.role = 'owner' and not exists (
        select from (${provenMemberships}) m
        where m.organization_id = own.organization_id and m.role = 'owner' and m.user_id <> own.user_id
      ) order by o.name limit 10`);
  if (orphans.length === 0) return;
  const names = orphans.map(({ name }) => `“${name}”`).join(', ');
  const who = viewer ? 'You are' : 'The user is';
  throw new DomainError('CONFLICT', {
    detail: `${who} the last owner of ${names}: make somebody else an owner first, or delete it.`,
  });
}
