import { randomUUIDv7 } from 'node:crypto';
import { expect, it } from 'vitest';
import { inCalendarTurn } from '../../src/calendar/send-calendar.ts';
import type { Context } from '../../src/engine/context.ts';
import { ClientWaits } from '../../src/kernel/request.ts';
import { Usage } from '../../src/kernel/usage.ts';
import { organizer } from '../support/organizer.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/server.ts';

const server = await serve();
const place = await organizer(server);

/** Somebody else who is making a long calendar until `end` is called. */
function maker(): { end(): void; ended: Promise<void> } {
  const viewer = { userId: randomUUIDv7(), sessionId: randomUUIDv7() };
  const client = { ip: null, userAgent: null, requestId: randomUUIDv7() };
  const ctx = { viewer, membership: null, publicScope: null, client, waits: new ClientWaits(), usage: new Usage() };
  const { promise, resolve } = Promise.withResolvers<void>();
  return { end: resolve, ended: inCalendarTurn(ctx as unknown as Context, () => promise) };
}

it('long calendars are made two at a time; a single event waits for none', async () => {
  const ofEvent = `${place.pathOf(await place.event())}.ics`;
  const { body } = await send<{ url: string }>(server, place.team.member, 'POST /auth/calendar', {});
  const ofOrganization = `${place.list}/events.ics`;
  const ofUser = new URL(body.url).pathname;
  const answered: string[] = [];
  const ask = async (path: string) => {
    const { status } = await fetch(server.url + path);
    answered.push(path);
    return status;
  };

  const makers = [maker(), maker()];
  const waiting = [ask(ofOrganization), ask(ofUser)];
  // those that wait were asked for before all of these
  for (let count = 0; count < 20; count += 1) expect(await ask(ofEvent)).toBe(200);
  expect(new Set(answered)).toEqual(new Set([ofEvent]));
  for (const each of makers) each.end();
  expect(await Promise.all(waiting)).toEqual([200, 200]);
  await Promise.all(makers.map(({ ended }) => ended));
});
