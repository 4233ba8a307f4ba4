import { expect, it } from 'vitest';
import { password } from '../support/fixtures.ts';
import { guestWorld, mailsTo, tokenOf } from '../support/guests.ts';
import { send } from '../support/send.ts';
import { createTeam, join, type Person, serve } from '../support/server.ts';
import { subscribing } from '../support/subscribing.ts';
import { tablesWith } from '../support/traces.ts';

// Whatever happens while a person is erased, nothing of them is left (note 0061).

const server = await serve({ env: { DATABASE_POOL_SIZE: '12' } });

/** The user's subscriptions that still hold something or take a place. */
const leftOf = (userId: string) =>
  server.execute(
    `select id from subscription where user_id = ? and (status in ('pending', 'accepted', 'waitlisted') or answers is not null)`,
    [userId],
  );

it('members who subscribe, are subscribed and moved while they are erased keep nothing, and none waits in vain', async () => {
  for (let round = 0; round < 3; round += 1) {
    const team = await createTeam(server);
    const { organizationId, manager } = team;
    const { event, ask } = subscribing(server, team);
    const events: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const made = await event({ capacity: 1 });
      await ask(made);
      events.push(made.id);
    }
    const leaver = await join(server, organizationId, 'member');
    const waiting = await join(server, organizationId, 'member');
    const subscribe = (person: Person, id: string, fields: object) =>
      send<{ id: string }>(server, person, `POST /events/${id}/subscriptions`, fields);
    const mine = { answers: { a: 'mine' } };
    const rows = await Promise.all(events.slice(0, 6).map((id) => subscribe(leaver, id, mine)));
    for (const id of events.slice(0, 6)) await subscribe(waiting, id, {});
    const answers = await Promise.all([
      ...events.slice(6, 9).map((id) => subscribe(leaver, id, mine)),
      send(server, leaver, 'DELETE /auth/me', { password }),
      ...events.slice(9).map((id) => subscribe(manager, id, { user_id: leaver.userId })),
      ...rows.map(({ body }, index) =>
        send(server, manager, `PATCH /events/${events[index]}/subscriptions/${body.id}`, { status: 'pending' }),
      ),
    ]);
    for (const { status } of answers) expect(status).toBeLessThan(500);
    expect(await leftOf(leaver.userId)).toEqual([]);
    const inVain = await server.execute(
      `select e.id from event e where e.organization_id = ? and accepted_count < capacity
        and exists (select from subscription s where s.event_id = e.id and s.status = 'waitlisted')`,
      [organizationId],
    );
    expect(inVain).toEqual([]);
    // the mail that confirms it has the address until it is sent
    await expect.poll(() => tablesWith(server, [leaver.email])).toEqual([]);
  }
}, 60_000);

it('guests who confirm a request while they are erased by another link become nobody, or somebody new', async () => {
  for (let round = 0; round < 5; round += 1) {
    const team = await createTeam(server);
    const { guest, event, subscribed } = guestWorld(server, team);
    const { email, token, row } = await subscribed();
    for (let index = 0; index < 4; index += 1) await guest.request((await event()).id, { email });
    const links = (await mailsTo(server, email, 6)).slice(2).map(tokenOf);
    const answers = await Promise.all([
      ...links.slice(0, 2).map((link) => guest.confirm(link)),
      send(server, {}, 'POST /public/subscriptions/erase', { token }),
      ...links.slice(2).map((link) => guest.confirm(link)),
    ]);
    for (const { status } of answers) expect([200, 400]).toContain(status);
    expect(answers[2]?.status).toBe(200);
    expect(await leftOf(row.user_id)).toEqual([]);
    const users = await server.execute('select name, email from "user" where id = ?', [row.user_id]);
    expect(users).toEqual([{ name: 'Deleted user', email: null }]);
  }
}, 60_000);
