import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { hashPassword } from '#passwords';
import type { AccessTokens } from '#session-tokens';
import type { Orm } from '../../src/db/orm.ts';
import { Event, type EventStatus } from '../../src/domain/event/event.entity.ts';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import { Organization } from '../../src/domain/organization/organization.entity.ts';
import {
  Subscription,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '../../src/domain/subscription/subscription.entity.ts';
import { User } from '../../src/domain/user/user.entity.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { eventRows, toEvent } from '../parity/data.ts';

/** What a side has of each noun; the objects of two twins have the same places. */
export const nouns = ['event', 'subscription', 'membership', 'invitation', 'api_key', 'webhook'] as const;
export type FuzzNoun = (typeof nouns)[number];

/** An organization with objects of each noun. */
export interface Side {
  organizationId: string;
  /** A text in each of its events, which nobody else may ever see. */
  marker: string;
  ids: Record<FuzzNoun, string[]>;
  /** The place of the event of each subscription. */
  eventOf: number[];
}

export interface Actor {
  userId: string;
  token: string;
}

/** Somebody who belongs to no organization at first, with ten sessions. */
export interface Account {
  userId: string;
  sessions: { id: string; token: string }[];
}

/** `outsider` has a session, and is a member of the third organization alone. */
export type ActorRole = 'owner' | 'manager' | 'member' | 'outsider';

/** What one batch asks about: two organizations that are the same but for their ids, and one that nobody there may see. */
export interface World {
  twins: [Side, Side];
  /** With the same members, for requests that may change anything. */
  ground: Side;
  third: Side;
  actors: Record<ActorRole, Actor>;
  /** Two that are the same but for their ids and addresses, for writes of accounts. */
  accounts: [Account, Account];
  /** Users who can be subscribed and whose role can change. */
  people: string[];
}

/** One of them: the place of a twin, or the name of another. */
export type Which = 0 | 1 | 'ground' | 'third';

export function sideOf({ twins, ground, third }: World, which: Which): Side {
  return typeof which === 'number' ? twins[which] : { ground, third }[which];
}

const tally = { events: 16, people: 6, subscriptions: 30 };

/** @param tokens those that the services accept */
export async function createWorld(orm: Orm, tokens: AccessTokens): Promise<World> {
  const em = orm.em.fork();
  const users = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const id = randomUUIDv7();
      const mailbox = `${id}@example.org`;
      return { id, email: mailbox, mailbox, name: `Person ${index}`, verified_at: new Date().toISOString() };
    });
  const known = users(3 + tally.people);
  const unknown = users(3);
  await em.insertMany(User, [...known, ...unknown]);
  const members = known.map(({ id }) => id);
  const [first, second, ground] = [
    await createSide(orm, members),
    await createSide(orm, members),
    await createSide(orm, members),
  ];
  const third = await createSide(
    orm,
    unknown.map(({ id }) => id),
  );
  const [owner, manager, member, outsider] = await Promise.all(
    [...members.slice(0, 3), unknown[0]?.id as string].map(async (userId) => {
      // more than the one that asks, for the list of sessions
      const [session] = await signIn(em, tokens, userId, 4);
      return { userId, token: session?.token as string };
    }),
  );
  return {
    twins: [first, second],
    ...{ ground, third },
    actors: { owner, manager, member, outsider } as World['actors'],
    accounts: [await createAccount(em, tokens), await createAccount(em, tokens)],
    people: members.slice(3),
  };
}

type Manager = ReturnType<Orm['em']['fork']>;

/** Sessions as a sign-in makes them, each with an access token. */
async function signIn(em: Manager, tokens: AccessTokens, userId: string, count: number): Promise<Account['sessions']> {
  const rows = await em.execute<{ id: string }[]>(
    `insert into session (id, user_id, created_at, expires_at, user_agent)
      select gen_random_uuid(), ?, now() - n * interval '1 minute', now() + interval '1 day', 'Browser ' || n
      from generate_series(1, ?) n returning id`,
    [userId, count],
  );
  const now = new Date();
  return await Promise.all(
    rows.map(async ({ id }) => ({ id, token: (await tokens.issue({ userId, sessionId: id, now })).token })),
  );
}

/** That of every account. */
export const knownPassword = 'correct horse battery';
const passwordHash = hashPassword(knownPassword);

async function createAccount(em: Manager, tokens: AccessTokens): Promise<Account> {
  const id = randomUUIDv7();
  const verified_at = new Date().toISOString();
  const mailbox = `${id}@example.org`;
  const user = { id, email: mailbox, mailbox, name: 'Ada', password_hash: await passwordHash, verified_at };
  await em.insert(User, user);
  return { userId: id, sessions: await signIn(em, tokens, id, 10) };
}

/** @param users the first are its owner, manager and member, the others more members */
async function createSide(orm: Orm, users: readonly string[]): Promise<Side> {
  const em = orm.em.fork();
  const organizationId = randomUUIDv7();
  const marker = `only-${randomBytes(9).toString('hex')}`;
  await em.insert(Organization, { id: organizationId, slug: `organization-${organizationId}`, name: 'Fuzz' });
  const memberships = users.map((userId, index) => ({
    id: randomUUIDv7(),
    organization_id: organizationId,
    user_id: userId,
    role: (['owner', 'manager'][index] ?? 'member') as OrganizationRole,
    created_at: new Date(Date.parse('2026-02-01T00:00:00Z') + index * 1000).toISOString(),
  }));
  await em.insertMany(Membership, memberships);
  // half of them are ahead, since what is over takes no subscriptions
  const events = eventRows(tally.events).map((row, index) => ({
    ...toEvent(row, organizationId),
    description: `${marker} ${index}`,
    status: (index % 8 < 5 ? 1 : index % 4) as EventStatus,
    ...(index % 2 === 0
      ? { date_start: `2127-05-0${1 + (index % 9)}T10:00:00.000Z`, date_end: '2127-06-01T12:00:00.000Z' }
      : {}),
  }));
  await em.insertMany(Event, events);
  const eventOf = Array.from({ length: tally.subscriptions }, (_, index) => index % tally.events);
  const subscriptions = eventOf.map((at, index) => {
    const created = new Date(Date.parse('2026-03-01T00:00:00Z') + index * 500).toISOString();
    const status = subscriptionStatuses[index % subscriptionStatuses.length] as SubscriptionStatus;
    return {
      id: randomUUIDv7(),
      event_id: events[at]?.id as string,
      organization_id: organizationId,
      user_id: users[(index + Math.floor(index / tally.events)) % users.length] as string,
      status,
      answers: null,
      waiting_since: status === 'waitlisted' ? created : null,
      checked_in_at: status === 'accepted' && index % 4 === 0 ? created : null,
      created_at: created,
      updated_at: created,
    };
  });
  await em.insertMany(Subscription, subscriptions);
  await em.execute(
    `insert into audit_entry (id, organization_id, action, actor_id, subject_id, created_at)
      select gen_random_uuid(), ?, case when n % 4 = 0 then 'member.removed' else 'event.changed' end, ?, ?,
        '2026-01-01T00:00:00Z'::timestamptz + n / 3 * interval '1 second' from generate_series(1, 30) n`,
    [organizationId, users[0], events[0]?.id],
  );
  return {
    organizationId,
    marker,
    ids: {
      ...{ event: idsOf(events), subscription: idsOf(subscriptions), membership: idsOf(memberships) },
      ...{ invitation: [], api_key: [], webhook: [] },
    },
    eventOf,
  };
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
