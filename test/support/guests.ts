import { randomUUIDv7 } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { MailFolder, type StoredMail } from '#mail-folder';
import type { OwnSubscription } from '../../src/domain/guest/own-link.ts';
import type { InvitationRow } from '../../src/domain/invitation/invitation.resource.ts';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { insertUser } from './fixtures.ts';
import { insertPublicEvent, type PublicEventInput } from './public-world.ts';
import { type Answer, send } from './send.ts';
import { type Person, signIn, type Team, type TestServer } from './server.ts';

/** Mails by the path of their file, which never changes: those who wait for one look every few milliseconds. */
const read = new Map<string, Promise<StoredMail | null>>();

/** All mails that a server kept, oldest first. */
async function mailsOf({ mailDir }: TestServer): Promise<StoredMail[]> {
  // the folder is made with the first mail
  const names = (await readdir(mailDir).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  const folder = new MailFolder(mailDir);
  const mails = names.map((name) => {
    const file = path.join(mailDir, name);
    const mail = read.get(file) ?? folder.find(name);
    read.set(file, mail);
    return mail;
  });
  return (await Promise.all(mails)).filter((mail) => mail !== null);
}

const isTo =
  (address: string) =>
  ({ to }: StoredMail) =>
    to.toLowerCase().includes(address.toLowerCase());

/** The mails to an address that a server kept, oldest first, once there are as many as expected. */
export async function mailsTo(server: TestServer, address: string, count = 1): Promise<StoredMail[]> {
  return await vi.waitFor(
    async () => {
      const mails = (await mailsOf(server)).filter(isTo(address));
      expect(mails).toHaveLength(count);
      return mails;
    },
    { timeout: 30_000, interval: 20 },
  );
}

/** How many mails to an address a server has kept by now. */
export async function countMails(server: TestServer, address: string): Promise<number> {
  return (await mailsOf(server)).filter(isTo(address)).length;
}

/** Waits until nothing is left to send. */
export async function settleMails(server: TestServer): Promise<void> {
  await vi.waitFor(
    async () => {
      const waiting = await server.execute(
        `select id from job where lane in ('account_mails', 'guest_mails', 'event_mails', 'notices') and due_at is not null`,
      );
      expect(waiting).toEqual([]);
    },
    { timeout: 30_000, interval: 20 },
  );
}

/** The token of the newest of so many mails to an address. */
export async function mailedToken(server: TestServer, address: string, count = 1): Promise<string> {
  return tokenOf((await mailsTo(server, address, count)).at(-1) as StoredMail);
}

/** The token of the link in a mail. */
export function tokenOf({ text }: { text: string }): string {
  const token = /\?token=([\w-]{43})(?![\w-])/.exec(text)?.[1];
  if (token === undefined) throw new Error(`There is no link in: ${text}`);
  return token;
}

export interface GuestFields {
  name?: string;
  email?: string;
  answers?: unknown;
  form_version?: unknown;
}

export const guestAddress = () => `guest-${randomUUIDv7()}@example.org`;

/** Somebody without an account, at the doors of a server. */
export function guestOf(server: TestServer, organizationId: string) {
  const post = <Body>(path: string, body: unknown): Promise<Answer<Body>> =>
    send<Body>(server, {}, `POST ${path}`, body);
  const guest = {
    request: (event: string, { email = guestAddress(), name = 'Grace Guest', ...fields }: GuestFields = {}) =>
      send<true>(server, { organizationId }, `POST /public/events/${event}/subscriptions`, { email, name, ...fields }),
    confirm: (token: string, fields: Pick<GuestFields, 'answers' | 'form_version'> = {}) =>
      post<{ status: string }>('/public/subscriptions/confirm', { token, ...fields }),
    lookup: (token: string) => post<OwnSubscription>('/public/subscriptions/lookup', { token }),
    answer: (token: string, fields: object) =>
      post<OwnSubscription>('/public/subscriptions/answers', { token, ...fields }),
    cancel: (token: string) => post<true>('/public/subscriptions/cancel', { token }),
    /** The token of the newest of so many mails to an address. */
    mailed: (email: string, count = 1) => mailedToken(server, email, count),
    /** Asks, follows the link, and gives the token of the link to the subscription. */
    subscribe: async (event: string, fields: GuestFields & { email: string }) => {
      const asked = await guest.request(event, fields);
      expect([asked.status, asked.text]).toEqual([200, 'true']);
      const confirmed = await guest.confirm(await guest.mailed(fields.email));
      expect(confirmed.status, confirmed.text).toBe(200);
      return { status: confirmed.body.status, token: await guest.mailed(fields.email, 2) };
    },
  };
  return guest;
}

/** The public events of a team, and what the database has of their guests. */
export function guestWorld(server: TestServer, { organizationId, manager }: Team) {
  const { execute } = server;
  const guest = guestOf(server, organizationId);
  const event = (input: Omit<PublicEventInput, 'organizationId'> = {}) =>
    insertPublicEvent(server, { ...input, organizationId });
  /** An event with one question. */
  async function asking() {
    const made = await event();
    const questions = [{ key: 'badge', type: 'text', label: 'Badge', required: true }];
    await send(server, manager, `PUT /events/${made.id}/form`, { questions });
    return made;
  }
  const userOf = (email: string) =>
    execute(
      `select u.*, (select count(*)::int from membership m where m.user_id = u.id) as members from "user" u where lower(email) = lower(?)`,
      [email],
    );
  const subscriptionsOf = async (email: string) =>
    (await execute(
      'select s.* from subscription s join "user" u on u.id = s.user_id where lower(u.email) = lower(?) order by s.created_at',
      [email],
    )) as [SubscriptionRow, ...SubscriptionRow[]];
  /** Somebody who asked for a place, with the token of the link that confirms it. */
  async function requested(to?: { id: string }) {
    const { id } = to ?? (await event());
    const email = guestAddress();
    await guest.request(id, { email });
    return { id, email, token: await guest.mailed(email) };
  }
  /** Somebody with a subscription, its row, and the token of the link to it. */
  async function subscribed(to?: { id: string }, fields: GuestFields = {}) {
    const { id } = to ?? (await event());
    const email = guestAddress();
    const { token, status } = await guest.subscribe(id, { email, ...fields });
    const [row] = await subscriptionsOf(email);
    return { id, email, token, status, row };
  }
  return { guest, execute, event, asking, userOf, subscriptionsOf, requested, subscribed };
}

export const newAddress = () => `invited-${randomUUIDv7()}@example.org`;

/** Invitations of a server, and who accepts them. */
export function invitationsOf(server: TestServer) {
  const invite = (by: Person, email = newAddress(), role: unknown = 'member') =>
    send<InvitationRow>(server, by, 'POST /invitations', { email, role });
  return {
    invite,
    accept: ({ accessToken }: { accessToken: string }, token: string) =>
      send(server, { accessToken }, 'POST /invitations/accept', { token }),
    /** Somebody with an account whom a person invites, and the token of the mail; the address is written in another way. */
    invitee: async (by: Person, role: OrganizationRole = 'member') => {
      const { id: userId, email } = await insertUser(server.orm, { email: newAddress() });
      const { accessToken } = await signIn(server.url, email);
      const written = email.replace('invited', 'INVITED');
      const { body: invitation } = await invite(by, written, role);
      return { userId, email, accessToken, invitation, token: await mailedToken(server, written) };
    },
    pending: async (email: string) =>
      (await server.execute('select from invitation where lower(email) = lower(?)', [email])).length,
    roleOf: async (userId: string, organizationId: string) =>
      (await server.orm.em.fork().findOne(Membership, { user_id: userId, organization_id: organizationId }))?.role ??
      null,
  };
}
