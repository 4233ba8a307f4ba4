import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { everyMember, proven } from '../access/memberships.ts';
import { tables } from '../tables/tables.ts';
import type { Person } from '../user/lock-user.ts';
import { erasePerson } from './erase-person.ts';

/** Erases a locked user. @throws DomainError CONFLICT if an organization would be left without an owner */
export async function eraseMember(tx: Transaction, person: Person): Promise<void> {
  const organizationIds = await lockOwnOrganizations(tx, person.id);
  await requireOtherOwners(tx, person.id);
  await erasePerson(tx, person, organizationIds);
}

const lockOrganizationsOf = prepared((at: { userId: string }) =>
  tables
    .selectFrom('organization')
    .select('id')
    .where('id', 'in', everyMember.select('m.organization_id').where('m.user_id', '=', at.userId))
    .orderBy('id')
    .forNoKeyUpdate(),
);

/** In the common order of locks. */
async function lockOwnOrganizations({ db }: Transaction, userId: string): Promise<string[]> {
  const rows = await db.rows(lockOrganizationsOf({ userId }));
  return rows.map(({ id }) => id);
}

const ownedAlone = prepared((at: { userId: string }) =>
  tables
    .selectFrom(everyMember.selectAll('m').as('own'))
    .innerJoin('organization as o', 'o.id', 'own.organization_id')
    .select('o.name')
    .where(({ and }) => and({ 'own.user_id': at.userId, 'own.role': 'owner' }))
    .where(({ not, exists, ref }) =>
      not(
        exists(
          proven
            .where(({ and }) => and({ 'm.organization_id': ref('own.organization_id'), 'm.role': 'owner' }))
            .where('m.user_id', '<>', ref('own.user_id')),
        ),
      ),
    )
    .orderBy('o.name')
    .limit(sql.lit(10)),
);

/** @throws DomainError CONFLICT, with the names of organizations that nobody else owns */
async function requireOtherOwners({ db, viewer }: Transaction, userId: string): Promise<void> {
  const orphans = await db.rows(ownedAlone({ userId }));
  if (orphans.length === 0) return;
  const names = orphans.map(({ name }) => `“${name}”`).join(', ');
  const who = viewer ? 'You are' : 'The user is';
  throw new DomainError('CONFLICT', {
    detail: `${who} the last owner of ${names}: make somebody else an owner first, or delete it.`,
  });
}
