import { randomUUIDv7 } from 'node:crypto';
import { expect } from 'vitest';
import type { OwnSubscription } from '../../src/domain/guest/own-link.ts';
import { mailedToken } from './mail.ts';
import { insertPublicEvent, type PublicEventInput } from './public-world.ts';
import { type Answer, send } from './send.ts';
import type { Team, TestServer } from './server.ts';

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

interface Holder {
  id: string;
  name: string;
  password_hash: string | null;
  verified_at: string | null;
  members: number;
}

interface Row {
  id: string;
  user_id: string;
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
  const userOf = async (email: string) =>
    (await execute(
      `select u.*, (select count(*)::int from membership m where m.user_id = u.id) as members from "user" u where lower(email) = lower(?)`,
      [email],
    )) as Holder[];
  const subscriptionsOf = async (email: string) =>
    (await execute(
      'select s.* from subscription s join "user" u on u.id = s.user_id where lower(u.email) = lower(?) order by s.created_at',
      [email],
    )) as [Row, ...Row[]];
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
