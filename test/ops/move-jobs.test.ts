import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../support/database.ts';
import { guestAddress, guestOf } from '../support/guests.ts';
import { countMails, mailsTo, tokenOf } from '../support/mail.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { startReceiver } from '../support/receiver.ts';
import { send } from '../support/send.ts';
import { type Shards, startShards } from '../support/shards.ts';
import { createTeam } from '../support/team.ts';
import { allowLoopback, createWebhook, messageOf } from '../support/webhooks.ts';

// What waits to be sent while an organization moves, and what does not (docs/operations/scale.md#moving-an-organization).

let shards: Shards;
beforeAll(async () => {
  shards = await startShards(allowLoopback);
}, 120_000);
afterAll(() => shards.close());

/** An organization with a webhook whose endpoint fails until it is up. */
async function organization() {
  const { one } = shards;
  let isUp = false;
  const receiver = await startReceiver((response) => void response.writeHead(isUp ? 204 : 500).end());
  const team = await createTeam(one);
  const { organizationId } = team;
  const event = await insertPublicEvent(one, { organizationId });
  await createWebhook(one, team.owner, { url: receiver.url, kinds: ['subscription'] });
  const ids = () => receiver.received.map((each) => messageOf(each).data.id);
  return {
    organizationId,
    receiver,
    ids,
    /** A subscription, which is a mail and a change. */
    subscribe: async (whose: 'owner' | 'member') => {
      const { status } = await send(one, team[whose], `POST /events/${event.id}/subscriptions`, {});
      expect(status).toBe(201);
      return team[whose].email;
    },
    /** A request of a guest, which is a mail. */
    request: async () => {
      const email = guestAddress();
      expect((await guestOf(one, organizationId).request(event.id, { email })).status).toBe(200);
      return email;
    },
    /** The endpoint works again, and what it failed to take is due. */
    recover: async () => {
      isUp = true;
      await ask(
        one.databaseUrl,
        `update webhook_due set due_at = date_trunc('milliseconds', now()) where organization_id = '${organizationId}'`,
      );
    },
  };
}

it.each([
  ['in the old place if the move is cancelled', 'one'],
  ['in the new place', 'two'],
] as const)(
  'mails and deliveries wait behind the fence and are sent %s; those of other organizations do not wait',
  async (_where, place) => {
    const { one } = shards;
    const [moving, other] = [await organization(), await organization()];
    for (const each of [moving, other]) {
      await mailsTo(one, await each.subscribe('member'));
      await expect.poll(() => each.ids()).toHaveLength(1);
      const failed = `select id from webhook_due where organization_id = '${each.organizationId}' and attempts = 1`;
      await expect.poll(() => ask(one.databaseUrl, failed)).toHaveLength(1);
    }
    await shards.announce(moving.organizationId);
    const waiting = [await moving.subscribe('owner'), await moving.request()] as const;
    await moving.recover();
    await shards.fence(moving.organizationId);

    const others = [await other.subscribe('owner'), await other.request()];
    await other.recover();
    one.services.deliveries.nudge();
    for (const email of others) await mailsTo(one, email);
    await expect.poll(() => other.ids()).toHaveLength(3);
    expect(other.ids().filter((id) => id === other.ids()[0])).toHaveLength(2);
    // longer than jobs take to look again
    one.services.outbox.nudge();
    await sleep(2_000);
    for (const email of waiting) expect(await countMails(one, email)).toBe(0);
    expect(moving.ids()).toHaveLength(1);

    const ended = await shards.move(moving.organizationId, ...(place === 'one' ? ['--cancel'] : []));
    expect([ended.code, ended.stderr]).toEqual([0, place === 'one' ? '' : expect.any(String)]);
    for (const email of waiting) {
      await mailsTo(shards[place], email);
      expect(await countMails(one, email)).toBe(place === 'one' ? 1 : 0);
    }
    // what had failed comes again; of what the old place had not read, the new log tells by a refetch
    const { receiver, ids } = moving;
    await expect.poll(() => ids()).toHaveLength(3);
    expect(ids().filter((id) => id === ids()[0])).toHaveLength(2);
    const types = receiver.received.map((each) => messageOf(each).type).toSorted();
    const last = place === 'one' ? 'subscription.created' : 'subscription.refetch';
    expect(types).toEqual(['subscription.created', 'subscription.created', last]);
    const [link] = await mailsTo(shards[place], waiting[1]);
    const token = tokenOf(link as { text: string });
    expect((await guestOf(shards[place], moving.organizationId).confirm(token)).status).toBe(200);
    await Promise.all([receiver.close(), other.receiver.close()]);
  },
  60_000,
);
