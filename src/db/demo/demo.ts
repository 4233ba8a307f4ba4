import type { EntityManager } from '@mikro-orm/postgresql';
import sql from 'sql-template-tag';
import { row, rows } from '../../domain/database.ts';
import { Event } from '../../domain/event/event.entity.ts';
import { Membership, type OrganizationRole } from '../../domain/organization/membership.entity.ts';
import { Organization } from '../../domain/organization/organization.entity.ts';
import { hashPassword, verifyPassword } from '../../domain/session/password.ts';
import { Subscription } from '../../domain/subscription/subscription.entity.ts';
import { User } from '../../domain/user/user.entity.ts';
import type { Orm } from '../orm.ts';
import { uuidOf } from '../random.ts';
import { demoEvents, demoMembers, demoSubscriptions } from './rows.ts';

/** Somebody who can sign in to the demo organization. */
export interface DemoAccount {
  role: OrganizationRole;
  email: string;
  password: string;
}

/** Known to everybody who reads this: the demo is for a machine of one's own. */
export const demoPassword = 'demo-events-2468';
export const demoOrganizationId = uuidOf('demo organization');

/** Names the lock of whoever makes the demo. */
const lock = 7_105_118_103;

const accounts: { id: string; role: OrganizationRole; name: string; email: string }[] = [
  { id: uuidOf('demo owner'), role: 'owner', name: 'Olivia Owner', email: 'owner@demo.example' },
  { id: uuidOf('demo manager'), role: 'manager', name: 'Milo Manager', email: 'manager@demo.example' },
  { id: uuidOf('demo member'), role: 'member', name: 'Mia Member', email: 'member@demo.example' },
];

/** Makes the demo where the database has no organization yet. Returns its accounts, or null where it made nothing. */
export async function ensureDemo(orm: Orm): Promise<DemoAccount[] | null> {
  return await orm.em.fork().transactional(async (em) => {
    await rows(em, sql`select pg_advisory_xact_lock(${lock})`);
    if (await row(em, sql`select 1 from organization limit 1`)) return null;
    return await insertDemo(em, demoPassword);
  });
}

/**
 * Makes the demo whatever else the database holds.
 *
 * @param password of its accounts; choose another than the known one where others can reach the service
 * @throws Error where the demo is there already, or somebody has one of its e-mail addresses
 */
export async function createDemo(orm: Orm, password: string): Promise<DemoAccount[]> {
  return await orm.em.fork().transactional(async (em) => {
    await rows(em, sql`select pg_advisory_xact_lock(${lock})`);
    const there = await row(em, sql`select 1 from organization where id = ${demoOrganizationId} or slug = 'demo'`);
    if (there) throw new Error('The demo organization exists already.');
    const emails = accounts.map(({ email }) => email);
    const taken = await row(
      em,
      sql`select 1 from "user" where lower(email) = any(${emails}) or id = any(${accounts.map(({ id }) => id)}::uuid[])`,
    );
    if (taken) throw new Error(`The demo cannot be made: its accounts (${emails.join(', ')}) exist already.`);
    return await insertDemo(em, password);
  });
}

/** The demo accounts that still have the known password, so that a later start can tell them again. */
export async function findDemoAccounts(orm: Orm): Promise<DemoAccount[]> {
  const found = await rows<{ id: string; password_hash: string | null }>(
    orm.em.fork(),
    sql`select u.id, u.password_hash from "user" u join membership m on m.user_id = u.id
        where m.organization_id = ${demoOrganizationId} and u.id = any(${accounts.map(({ id }) => id)}::uuid[])`,
  );
  const hashes = new Map(found.map((user) => [user.id, user.password_hash]));
  const open = await Promise.all(
    accounts.map(async ({ id }) => hashes.has(id) && (await verifyPassword(hashes.get(id) ?? null, demoPassword))),
  );
  return accounts.filter((_, index) => open[index]).map((account) => publish(account, demoPassword));
}

async function insertDemo(em: EntityManager, password: string): Promise<DemoAccount[]> {
  const now = new Date();
  const createdAt = new Date(now.getTime() - 400 * 86_400_000);
  const organization = demoOrganizationId;
  const passwordHash = await hashPassword(password);
  const members = demoMembers();
  const events = demoEvents(now);
  const people = [
    ...accounts.map((account) => ({ ...account, passwordHash })),
    ...members.map((member) => ({ ...member, role: 'member' as const, passwordHash: null })),
  ];
  await em.insert(Organization, {
    id: organization,
    name: 'Harbour Arts & Learning',
    slug: 'demo',
    signup: 'open',
    createdAt,
  });
  await em.insertMany(
    User,
    people.map(({ id, name, email, passwordHash }) => ({
      ...{ id, name, email, passwordHash, avatarUrl: null },
      ...{ verifiedAt: createdAt, createdAt, updatedAt: createdAt },
    })),
  );
  await em.insertMany(
    Membership,
    people.map(({ id, role }) => ({ id: uuidOf(`demo membership ${id}`), organization, user: id, role, createdAt })),
  );
  await em.insertMany(
    Event,
    events.map((event) => ({ ...event, organization })),
  );
  const subscribers = people.filter(({ role }) => role === 'member');
  await em.insertMany(Subscription, demoSubscriptions(events, subscribers, now));
  return accounts.map((account) => publish(account, password));
}

function publish({ role, email }: { role: OrganizationRole; email: string }, password: string): DemoAccount {
  return { role, email, password };
}
