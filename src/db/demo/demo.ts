import { raw } from '@mikro-orm/core';
import sql from 'sql-template-tag';
import { CalendarFeed } from '../../domain/calendar/calendar-feed.entity.ts';
import { ChangeFloor } from '../../domain/change/change.table.ts';
import { Event } from '../../domain/event/event.entity.ts';
import { writeForm } from '../../domain/event/write-form.ts';
import { Membership } from '../../domain/organization/membership.entity.ts';
import { Organization } from '../../domain/organization/organization.entity.ts';
import { hashPassword, verifyPassword } from '../../domain/session/password.ts';
import { Session } from '../../domain/session/session.table.ts';
import { Subscription } from '../../domain/subscription/subscription.entity.ts';
import { SubscriptionChange } from '../../domain/subscription/subscription-change.table.ts';
import { User } from '../../domain/user/user.entity.ts';
import type { UnitOfWork } from '../../engine/database.ts';
import { mailboxOf } from '../../kernel/input/email-address.ts';
import type { OrganizationRole } from '../../kernel/request.ts';
import { PostgresDatabase } from '../access/database.ts';
import type { Orm } from '../orm.ts';
import { uuidOf } from '../random.ts';
import { demoForms } from './forms.ts';
import { demoMembers } from './people.ts';
import { demoProfiles } from './programme.ts';
import { demoBookEvents, demoEvents } from './rows.ts';
import { demoScenes } from './scenes.ts';
import { demoSubscriptions } from './subscriptions.ts';

/** An account that can sign in to the demo organization. */
export interface DemoAccount {
  role: OrganizationRole;
  email: string;
  password: string;
  /** The id of the demo organization. */
  organization: string;
}

/** Public, since the demo is meant for local use. */
export const demoPassword = 'demo-events-2468';
export const demoOrganizationId = uuidOf('demo organization');
/** With the small second one, in which the member of the demo is a manager. */
export const demoOrganizationIds = [demoOrganizationId, uuidOf('demo second organization')];

/** The advisory lock for creating the demo. */
const lock = 7_105_118_103;

const accounts: { id: string; role: OrganizationRole; name: string; email: string }[] = [
  { id: uuidOf('demo owner'), role: 'owner', name: 'Olivia Owner', email: 'owner@demo.example' },
  { id: uuidOf('demo manager'), role: 'manager', name: 'Milo Manager', email: 'manager@demo.example' },
  { id: uuidOf('demo member'), role: 'member', name: 'Mia Member', email: 'member@demo.example' },
];

/**
 * Creates the demo if the database has no organization yet. Returns its accounts, or null if it created nothing.
 *
 * @param report receives a message before it is created
 */
export async function ensureDemo(
  orm: Orm,
  report: (message: string) => void = () => undefined,
): Promise<DemoAccount[] | null> {
  return await new PostgresDatabase(orm).transaction(async (db) => {
    await db.rows(sql`select pg_advisory_xact_lock(${lock})`);
    if ((await db.em.count(Organization)) > 0) return null;
    report('making the demo: two organizations, their events and subscriptions');
    return await insertDemo(db, demoPassword);
  });
}

/**
 * Creates the demo regardless of other data in the database.
 *
 * @param password the password of its accounts; not the public one if others can reach the service
 * @throws Error if the demo already exists, or an account has one of its e-mail addresses
 */
export async function createDemo(orm: Orm, password: string): Promise<DemoAccount[]> {
  return await new PostgresDatabase(orm).transaction(async (db) => {
    await db.rows(sql`select pg_advisory_xact_lock(${lock})`);
    const there = { $or: [{ id: { $in: demoOrganizationIds } }, { slug: { $in: ['demo', 'demo-books'] } }] };
    if ((await db.em.count(Organization, there)) > 0) throw new Error('The demo organization already exists.');
    const emails = accounts.map(({ email }) => email);
    const taken = { $or: [{ mailbox: { $in: emails.map(mailboxOf) } }, { id: { $in: accounts.map(({ id }) => id) } }] };
    if ((await db.em.count(User, taken)) > 0)
      throw new Error(`The demo cannot be created: its accounts (${emails.join(', ')}) already exist.`);
    return await insertDemo(db, password);
  });
}

/** The demo accounts that still have the public password, so that a later start can print them again. */
export async function findDemoAccounts(orm: Orm): Promise<DemoAccount[]> {
  const ids = accounts.map(({ id }) => id);
  const found = await new PostgresDatabase(orm).transaction(({ em }) => em.find(User, { id: { $in: ids } }));
  const hashes = new Map(found.map((user) => [user.id, user.password_hash]));
  const open = await Promise.all(
    accounts.map(async ({ id }) => hashes.has(id) && (await verifyPassword(hashes.get(id) ?? null, demoPassword))),
  );
  return accounts.filter((_, index) => open[index]).map((account) => publish(account, demoPassword));
}

/**
 * Removes the public password of demo accounts that still have it, and ends their sessions and calendar addresses.
 *
 * @returns their addresses
 */
export async function lockDemoAccounts(orm: Orm): Promise<string[]> {
  const emails = (await findDemoAccounts(orm)).map(({ email }) => email);
  if (emails.length === 0) return [];
  const ids = accounts.filter(({ email }) => emails.includes(email)).map(({ id }) => id);
  await new PostgresDatabase(orm).transaction(async ({ em }) => {
    const ended = { ended_at: raw('now()'), end_reason: 'password_changed' };
    await em.nativeUpdate(User, { id: { $in: ids } }, { password_hash: null });
    await em.nativeUpdate(Session, { user_id: { $in: ids }, ended_at: null }, ended);
    await em.nativeDelete(CalendarFeed, { user_id: { $in: ids } });
  });
  return emails;
}

async function insertDemo(db: UnitOfWork, password: string): Promise<DemoAccount[]> {
  const { em } = db;
  const now = new Date();
  const created_at = new Date(now.getTime() - 400 * 86_400_000).toISOString();
  const organization = demoOrganizationId;
  const passwordHash = await hashPassword(password);
  const people = [
    ...accounts.map((account) => ({ ...account, passwordHash })),
    ...demoMembers().map((member) => ({ ...member, role: 'member' as const, passwordHash: null })),
  ];
  await em.insert(Organization, { ...demoProfiles.harbour, id: organization, signup: 'open', created_at });
  // the log of changes tells nothing of what the demo begins with
  await em.insert(ChangeFloor, { organization_id: organization, seq: 0n, updated_at: now.toISOString() });
  await em.insertMany(
    User,
    people.map(({ id, name, email, passwordHash }) => ({
      ...{ id, name, email, mailbox: mailboxOf(email), password_hash: passwordHash, avatar_url: null },
      ...{ verified_at: created_at, created_at, updated_at: created_at },
    })),
  );
  await insertSecondOrganization(db, now, created_at);
  await em.insertMany(
    Membership,
    people.map(({ id, role }) => ({
      ...{ id: uuidOf(`demo membership ${id}`), organization_id: organization, user_id: id },
      ...{ role, created_at },
    })),
  );
  const events = demoEvents(now);
  const subscribers = people.filter(({ role }) => role === 'member').map(({ id }) => id);
  const manager = uuidOf('demo manager');
  const scenes = demoScenes(subscribers, manager, now);
  const journeys = [...demoSubscriptions(events, subscribers, manager, now), ...scenes.journeys];
  await em.insertMany(
    Event,
    [...events, ...scenes.events].map((event) => ({ ...event, organization_id: organization })),
  );
  const asking = scenes.events.flatMap(({ id, name }) => {
    const questions = demoForms[name];
    return questions ? [{ event: id, questions }] : [];
  });
  for (const { event, questions } of asking) await writeForm({ db }, event, { version: 1, questions });
  await em.insertMany(
    Subscription,
    journeys.map(({ subscription }) => ({
      ...subscription,
      organization_id: organization,
      form_version: asking.some(({ event }) => event === subscription.event_id) ? 1 : null,
    })),
  );
  await em.insertMany(
    SubscriptionChange,
    journeys.flatMap(({ changes }) => changes),
  );
  // the first requests come before the database analyzes the new rows by itself
  await em.execute(
    'analyze event, form_version, form_content, subscription, subscription_change, membership, organization, "user"',
  );
  return accounts.map((account) => publish(account, password));
}

/** Of which the member of the demo is the manager, so that somebody has two organizations, and a role in each. */
async function insertSecondOrganization({ em }: UnitOfWork, now: Date, created_at: string): Promise<void> {
  const [, id = ''] = demoOrganizationIds;
  await em.insert(Organization, { ...demoProfiles.books, id, signup: 'invite', created_at });
  await em.insert(ChangeFloor, { organization_id: id, seq: 0n, updated_at: now.toISOString() });
  const shared = { organization_id: id, created_at };
  await em.insertMany(Membership, [
    { ...shared, id: uuidOf('demo second membership'), user_id: uuidOf('demo member'), role: 'manager' },
    { ...shared, id: uuidOf('demo second owner'), user_id: uuidOf('demo user 0'), role: 'owner' },
  ]);
  await em.insertMany(
    Event,
    demoBookEvents(now).map((event) => ({ ...event, organization_id: id })),
  );
}

function publish({ role, email }: { role: OrganizationRole; email: string }, password: string): DemoAccount {
  return { role, email, password, organization: demoOrganizationId };
}
