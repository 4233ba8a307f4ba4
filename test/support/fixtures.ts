import { randomUUIDv7 } from 'node:crypto';
import type { FilterQuery, InferEntity, MikroORM } from '@mikro-orm/postgresql';
import { hashCost, hashPassword } from '#passwords';
import { AuditEntry } from '../../src/domain/audit/audit-entry.table.ts';
import { Event, type EventStatus } from '../../src/domain/event/event.entity.ts';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import { Organization } from '../../src/domain/organization/organization.entity.ts';
import { Subscription, type SubscriptionStatus } from '../../src/domain/subscription/subscription.entity.ts';
import { User } from '../../src/domain/user/user.entity.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';

let lastId = '';

/**
 * An id above every one before it, so that rows that are equal otherwise stand in the order in which they were inserted:
 * two ids of one millisecond do not rise by themselves.
 */
function risingId(): string {
  let id = randomUUIDv7();
  while (id <= lastId) id = randomUUIDv7();
  lastId = id;
  return id;
}

/** The password of every fixture user that is given no other. */
export const password = 'correct horse battery';
/** Hashes of {@link password}, by what they cost. */
const passwordHashes = new Map<string, Promise<string>>();

export interface UserInput {
  id?: string;
  email?: string;
  name?: string;
  /** Null makes an account that must reset its password first. */
  password?: string | null;
  /** A hash to store instead of one of `password`. */
  passwordHash?: string;
  verified?: boolean;
  avatarUrl?: string | null;
}

/** A user who may sign in; `email` is unique unless given. */
export async function insertUser(orm: MikroORM, input: UserInput = {}): Promise<{ id: string; email: string }> {
  const id = input.id ?? risingId();
  const email = input.email ?? `user-${id}@example.org`;
  const em = orm.em.fork();
  em.create(User, {
    id,
    email,
    name: input.name ?? 'Ada Lovelace',
    avatar_url: input.avatarUrl ?? null,
    password_hash: input.passwordHash ?? (await hashOf(input.password)),
    verified_at: input.verified === false ? null : new Date().toISOString(),
  });
  await em.flush();
  return { id, email };
}

async function hashOf(given: string | null | undefined): Promise<string | null> {
  if (given === null) return null;
  if (given !== undefined) return await hashPassword(given);
  const cost = JSON.stringify(hashCost);
  const hash = passwordHashes.get(cost) ?? hashPassword(password);
  passwordHashes.set(cost, hash);
  return await hash;
}

export async function insertOrganization(
  orm: MikroORM,
  input: { id?: string; name?: string; slug?: string; signup?: 'open' | 'invite' } = {},
): Promise<{ id: string; slug: string }> {
  const id = input.id ?? risingId();
  const slug = input.slug ?? `organization-${id}`;
  const em = orm.em.fork();
  em.create(Organization, { id, slug, name: input.name ?? 'An organization', signup: input.signup ?? 'open' });
  await em.flush();
  return { id, slug };
}

export async function insertMembership(
  orm: MikroORM,
  input: { organizationId: string; userId: string; role?: OrganizationRole },
): Promise<void> {
  const em = orm.em.fork();
  em.create(Membership, { organization_id: input.organizationId, user_id: input.userId, role: input.role ?? 'member' });
  await em.flush();
}

/** A user in an organization, both made for the purpose unless given. */
export async function insertMember(
  orm: MikroORM,
  input: UserInput & { organizationId?: string; role?: OrganizationRole } = {},
): Promise<{ id: string; email: string; organizationId: string }> {
  const { organizationId = (await insertOrganization(orm)).id, role = 'member', ...user } = input;
  const inserted = await insertUser(orm, user);
  await insertMembership(orm, { organizationId, userId: inserted.id, role });
  return { ...inserted, organizationId };
}

export interface EventInput {
  id?: string;
  organizationId: string;
  name?: string;
  slug?: string;
  description?: string | null;
  status?: number;
  dateStart?: Date;
  dateEnd?: Date;
  capacity?: number | null;
  visibility?: 'public' | 'organization';
  registration?: 'open' | 'approval' | 'closed';
  createdAt?: Date;
}

/** An active event, of an hour unless its dates are given. */
export async function insertEvent(orm: MikroORM, input: EventInput): Promise<{ id: string }> {
  const { id = risingId(), organizationId, dateStart = new Date('2026-06-01T10:00:00Z'), ...given } = input;
  const { dateEnd = new Date(dateStart.getTime() + 3_600_000), createdAt, status = 1, ...rest } = given;
  const em = orm.em.fork();
  em.create(Event, {
    ...{ id, organization_id: organizationId, name: 'An event', slug: `event-${id}`, status: status as EventStatus },
    ...{ date_start: dateStart.toISOString(), date_end: dateEnd.toISOString() },
    ...(createdAt && { created_at: createdAt.toISOString() }),
    ...rest,
  });
  await em.flush();
  return { id };
}

export async function insertSubscription(
  orm: MikroORM,
  input: {
    id?: string;
    eventId: string;
    userId: string;
    status?: SubscriptionStatus;
    answers?: Record<string, unknown> | null;
    checkedInAt?: Date | null;
    createdAt?: Date;
  },
): Promise<{ id: string }> {
  const { id = risingId(), eventId, userId, answers = null, checkedInAt, createdAt, status = 'accepted' } = input;
  const em = orm.em.fork();
  const { organization_id } = await em.findOneOrFail(Event, eventId, { fields: ['organization_id'] });
  em.create(Subscription, {
    ...{ id, event_id: eventId, organization_id, user_id: userId, status, answers },
    checked_in_at: checkedInAt?.toISOString() ?? null,
    ...(createdAt && { created_at: createdAt.toISOString() }),
  });
  await em.flush();
  return { id };
}

/** What the audit trail has of what a condition finds, oldest first. */
export const entriesOf = ({ orm }: { orm: MikroORM }, where: FilterQuery<InferEntity<typeof AuditEntry>>) =>
  orm.em.fork().find(AuditEntry, where, { orderBy: { created_at: 'asc', id: 'asc' } });
