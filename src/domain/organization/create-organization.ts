import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { displayName, slugOf } from '#input-values';
import { prepared } from '#postgres-access';
import { command } from '../../engine/command.ts';
import type { Database } from '../../engine/database.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { proven } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockName } from '../tables/lock-row.ts';
import { now, tables } from '../tables/tables.ts';
import { lockViewer } from '../user/lock-user.ts';
import type { User } from '../user/user.entity.ts';
import { addMember } from './add-member.ts';
import { makerIdOf } from './maker.ts';
import { Organization } from './organization.entity.ts';

const maxOwned = 100;

/** Organizations that one user may create: in a day, and in the first month of the account. */
const mostFounded = { day: 3, firstMonth: 10 };
const day = 86_400_000;
const month = 30 * day;

const owned = prepared((at: { userId: string }) =>
  proven
    .select('m.id')
    .where(({ and }) => and({ 'm.user_id': at.userId, 'm.role': 'owner' }))
    .limit((eb) => eb.lit(maxOwned)),
);

/** CONFLICT if the viewer owns the maximum; RATE_LIMITED if they have created many lately. */
export const createOrganization = command({
  name: 'createOrganization',
  description: 'Creates an organization with the viewer as its owner.',
  access: 'user',
  input: z.strictObject({ name: displayName.meta({ description: 'Name, 1 to 200 characters.' }) }),
  errors: ['CONFLICT'],
  run: async (tx, { name }) => {
    const { userId } = tx.viewer;
    // serializes creations, so that each counts the others; an erased user owns nothing
    const viewer = await lockViewer(tx);
    if ((await tx.db.rows(owned({ userId }))).length >= maxOwned) {
      throw new DomainError('CONFLICT', { detail: `An account can own at most ${maxOwned} organizations.` });
    }
    tx.afterCommit(() => tx.services.access.forgetUser(userId));
    return { organization_id: await createOwnedOrganization(tx, viewer, name) };
  },
});

/** The owner must be locked. Returns the id. @throws DomainError RATE_LIMITED */
export async function createOwnedOrganization(tx: Transaction, owner: User, name: string): Promise<string> {
  const { id: userId } = owner;
  // without a mailbox nobody creates more
  const makerId = owner.email === null ? userId : makerIdOf(owner.email);
  if (tx.services.limits.enabled) await requireFewFounded(tx, owner, makerId);
  const organizationId = await insertOrganization(tx.db, makerId, name);
  await addMember(tx, { organization_id: organizationId, user_id: userId, role: 'owner' });
  await recordAudit(tx, { action: 'organization.created', organizationId, actorId: userId, subjectId: userId });
  return organizationId;
}

async function requireFewFounded({ db, em, now }: Transaction, { created_at }: User, makerId: string): Promise<void> {
  // accounts of one mailbox share the count
  await lockName(db, `maker ${makerId}`);
  const founded = await em.find(
    Organization,
    { maker_id: makerId, deleted_at: null },
    { fields: ['created_at'], orderBy: { created_at: 'desc' }, limit: mostFounded.firstMonth },
  );
  const refuse = (detail: string, until: number) => {
    throw new DomainError('RATE_LIMITED', { detail, retryAfter: (until - now.getTime()) / 1000 });
  };
  const today = Date.parse(founded[mostFounded.day - 1]?.created_at ?? '1970-01-01') + day;
  if (today > now.getTime()) refuse(`A mailbox can create ${mostFounded.day} organizations a day.`, today);
  const first = Date.parse(created_at) + month;
  if (first > now.getTime() && founded.length >= mostFounded.firstMonth)
    refuse(`A mailbox can create ${mostFounded.firstMonth} organizations in the first 30 days of its account.`, first);
}

const insertUnlessTaken = prepared((at: { id: string; name: string; slug: string; makerId: string }) =>
  tables
    .insertInto('organization')
    .values({ id: at.id, name: at.name, slug: at.slug, signup: 'open', maker_id: at.makerId, created_at: now })
    .onConflict((taken) => taken.column('slug').doNothing())
    .returning('id'),
);

async function insertOrganization(db: Database, makerId: string, name: string): Promise<string> {
  const base = slugOf(name, 'organization');
  for (let suffix = ''; ; suffix = `-${randomBytes(4).toString('hex')}`) {
    const inserted = await db.row(insertUnlessTaken({ id: randomUUIDv7(), name, slug: base + suffix, makerId }));
    if (inserted) return inserted.id;
  }
}
