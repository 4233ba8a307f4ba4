import { raw } from '@mikro-orm/core';
import { demoAccounts as accounts, demoContent, demoOrganizations, uuidOf } from '#demo-content';
import { mailboxOf, slugOf } from '#input-values';
import { hashPassword, verifyPassword } from '#passwords';
import { PostgresDatabase } from '#postgres-access';
import { CalendarFeed } from '../../domain/calendar/calendar-feed.entity.ts';
import { ChangeFloor } from '../../domain/change/change.table.ts';
import { Event } from '../../domain/event/event.entity.ts';
import { writeForm } from '../../domain/event/write-form.ts';
import { Membership } from '../../domain/organization/membership.entity.ts';
import { Organization } from '../../domain/organization/organization.entity.ts';
import { Session } from '../../domain/session/session.table.ts';
import { Subscription } from '../../domain/subscription/subscription.entity.ts';
import { SubscriptionChange } from '../../domain/subscription/subscription-change.table.ts';
import { lockName } from '../../domain/tables/lock-row.ts';
import { User } from '../../domain/user/user.entity.ts';
import type { UnitOfWork } from '../../engine/database.ts';
import type { OrganizationRole } from '../../kernel/request.ts';
import type { Orm } from '../orm.ts';

export interface DemoAccount {
  role: OrganizationRole;
  email: string;
  password: string;
  /** The id of the demo organization. */
  organization: string;
}

/** Public, since the demo is meant for local use. */
export const demoPassword = 'demo-events-2468';
const { harbour, books } = demoOrganizations;
export const demoOrganizationId = harbour.id;
/** With the small second one, in which the member of the demo is a manager. */
export const demoOrganizationIds = [harbour.id, books.id];

/** Creates the demo if the database has no organization yet, and returns its accounts; otherwise null. */
export async function ensureDemo(
  orm: Orm,
  report: (message: string) => void = () => undefined,
): Promise<DemoAccount[] | null> {
  return await new PostgresDatabase(orm).transaction(async (db) => {
    await lockName(db, 'demo');
    // not a count, which would read all rows of a large database
    if ((await db.em.findAll(Organization, { fields: ['id'], limit: 1 })).length > 0) return null;
    report('making the demo: two organizations, their events and subscriptions');
    return await insertDemo(db, demoPassword);
  });
}

/** Creates the demo next to other data. @throws Error if the demo, or an account with one of its addresses, exists */
export async function createDemo(orm: Orm, password: string): Promise<DemoAccount[]> {
  return await new PostgresDatabase(orm).transaction(async (db) => {
    await lockName(db, 'demo');
    const there = { $or: [{ id: { $in: demoOrganizationIds } }, { slug: { $in: [harbour.slug, books.slug] } }] };
    if ((await db.em.count(Organization, there)) > 0) throw new Error('The demo organization already exists.');
    const emails = accounts.map(({ email }) => email);
    const taken = { $or: [{ mailbox: { $in: emails.map(mailboxOf) } }, { id: { $in: accounts.map(({ id }) => id) } }] };
    if ((await db.em.count(User, taken)) > 0)
      throw new Error(`The demo cannot be created: its accounts (${emails.join(', ')}) already exist.`);
    return await insertDemo(db, password);
  });
}

/** The demo accounts that still have the public password. */
export async function findDemoAccounts(orm: Orm): Promise<DemoAccount[]> {
  const ids = accounts.map(({ id }) => id);
  const found = await new PostgresDatabase(orm).transaction(({ em }) => em.find(User, { id: { $in: ids } }));
  const hashes = new Map(found.map((user) => [user.id, user.password_hash]));
  const open = await Promise.all(
    accounts.map(async ({ id }) => hashes.has(id) && (await verifyPassword(hashes.get(id) ?? null, demoPassword))),
  );
  return accounts.filter((_, index) => open[index]).map((account) => publish(account, demoPassword));
}

/** Ends the sign-in of accounts that still have the public password, and returns their e-mail addresses. */
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
  const { members, events, forms, journeys } = demoContent(now);
  const passwordHash = await hashPassword(password);
  const people = [
    ...accounts.map((account) => ({ ...account, passwordHash })),
    ...members.map((member) => ({ ...member, role: 'member' as const, passwordHash: null })),
  ];
  await em.insert(Organization, { ...harbour, signup: 'open', created_at });
  // the initial rows of the demo are not in the log of changes
  await em.insert(ChangeFloor, { organization_id: harbour.id, seq: 0n, updated_at: now.toISOString() });
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
      ...{ id: uuidOf(`demo membership ${id}`), organization_id: harbour.id, user_id: id },
      ...{ role, created_at },
    })),
  );
  await em.insertMany(Event, [...eventRows(events.harbour, harbour.id), ...eventRows(events.books, books.id)]);
  for (const { event, questions } of forms) await writeForm({ db }, event, { version: 1, questions });
  await em.insertMany(
    Subscription,
    journeys.map(({ subscription }) => ({
      ...subscription,
      organization_id: harbour.id,
      form_version: forms.some(({ event }) => event === subscription.event_id) ? 1 : null,
    })),
  );
  await em.insertMany(
    SubscriptionChange,
    journeys.flatMap(({ changes }) => changes),
  );
  // the first requests come before the database analyzes the new rows
  await em.execute(
    'analyze event, form_version, form_content, subscription, subscription_change, membership, organization, "user"',
  );
  return accounts.map((account) => publish(account, password));
}

/** Its manager is the member of the first, so that somebody has a role in two organizations. */
async function insertSecondOrganization({ em }: UnitOfWork, now: Date, created_at: string): Promise<void> {
  await em.insert(Organization, { ...books, signup: 'invite', created_at });
  await em.insert(ChangeFloor, { organization_id: books.id, seq: 0n, updated_at: now.toISOString() });
  const shared = { organization_id: books.id, created_at };
  await em.insertMany(Membership, [
    { ...shared, id: uuidOf('demo second membership'), user_id: uuidOf('demo member'), role: 'manager' },
    { ...shared, id: uuidOf('demo second owner'), user_id: uuidOf('demo user 0'), role: 'owner' },
  ]);
}

/** The events with slugs made from their names; a repeated slug gets a number. */
function eventRows<Named extends { name: string }>(events: Named[], organization_id: string) {
  const uses = new Map<string, number>();
  return events.map((event) => {
    const slug = slugOf(event.name, 'event');
    const use = (uses.get(slug) ?? 0) + 1;
    uses.set(slug, use);
    return { ...event, organization_id, slug: use === 1 ? slug : `${slug}-${use}` };
  });
}

function publish({ role, email }: { role: OrganizationRole; email: string }, password: string): DemoAccount {
  return { role, email, password, organization: demoOrganizationId };
}
