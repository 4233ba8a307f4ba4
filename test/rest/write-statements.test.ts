import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { startBreakable } from '../support/breakable.ts';
import { send } from '../support/send.ts';
import { serve, serveTeam } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { countStatements } from '../support/statements.ts';
import { insertSubscribers, subscribing } from '../support/subscribing.ts';

// Writes hold a lock that others wait for, and each statement is a round trip: one more is a decision, not an accident.

const { server, team } = await serveTeam();
// who asks below has asked before: what a first request looks up is no part of a write
const { event } = subscribing(server, { ...team, manager: team.owner });

async function statementsOf(request: string, body: unknown): Promise<string[]> {
  // the mails of earlier requests leave shortly after their commits: what sends them would be counted
  const waiting = () => server.execute(`select 1 from job where lane ~ 'mails' and (due_at <= now() or attempts > 0)`);
  await expect.poll(waiting, { interval: 10 }).toEqual([]);
  // the look for the next mail follows the last one
  await sleep(20);
  const { result, statements } = await countStatements(server.orm, () => send(server, team.owner, request, body));
  expect(result.status, result.text).toBeLessThan(300);
  // the session is looked up again every few seconds, whatever is asked
  const own = statements.filter((text) => !text.includes('from session s left join'));
  return own.map((text) => text.trim().split(/\s+/).slice(0, 3).join(' '));
}

/**
 * What the service sends to its database in transactions that name the owner, as what the owner writes does: a statement that
 * waits for an answer begins another piece.
 */
let pieces = 0;
const passage = await shared(
  startBreakable(server.databaseUrl, (_, upstream) => {
    let sent: string[] | null = null;
    return {
      toServer: (bytes) => {
        upstream.write(bytes);
        const text = bytes.toString('latin1');
        if (text.includes('begin')) sent ??= [];
        sent?.push(text);
        if (!sent || !text.endsWith('commit\0')) return;
        // the service has transactions of its own
        if (sent.some((each) => each.includes(team.owner.userId))) pieces += sent.length;
        sent = null;
      },
    };
  }),
);
const beyond = await serve({ databaseUrl: passage.url, secrets: server.secrets });

async function roundTripsOf(request: string, body: unknown): Promise<number> {
  pieces = 0;
  const result = await send(beyond, team.owner, request, body);
  expect(result.status, result.text).toBeLessThan(300);
  return pieces;
}

describe('a write', () => {
  it('takes three round trips: what it has to know, what the ORM writes, and the rest with the commit; to subscribe, two', async () => {
    const { id } = await event();
    expect(await roundTripsOf(`POST /events/${id}/subscriptions`, {})).toBe(2);
    expect(await roundTripsOf(`PATCH /events/${id}`, { description: 'New.' })).toBe(3);
  });

  it('has statements whose plans PostgreSQL keeps, in a table that is no longer small', async () => {
    const em = server.orm.em.fork();
    await insertSubscribers(server.orm, (await event()).id, 1000, 'pending');
    await em.execute(`insert into subscription_change (id, subscription_id, kind, status_to)
      select gen_random_uuid(), id, 'status', 'pending' from subscription`);
    await em.execute('analyze subscription_change');
    const pool: Pool = await beyond.orm.driver.getConnection().getNativeClient();
    const { max } = pool.options;
    // the first five executions are always planned, so some connection has a sixth
    for (let time = 0; time < 6 * max; time += 1) {
      const { id } = await event();
      await roundTripsOf(`PATCH /events/${id}`, { description: 'New.' });
      await roundTripsOf(`POST /events/${id}/subscriptions`, {});
    }
    // all of them: also those that the service uses now
    const clients = await Promise.all(Array.from({ length: max }, () => pool.connect()));
    const found = await Promise.all(
      clients.map((client) =>
        client.query<{ statement: string; custom: number; kept: number }>(
          'select statement, custom_plans::int as custom, generic_plans::int as kept from pg_prepared_statements',
        ),
      ),
    );
    for (const client of clients) client.release();
    const statements = found.flatMap(({ rows }) => rows);
    expect(statements.filter(({ custom }) => custom > 5)).toEqual([]);
    expect(statements.filter(({ kept }) => kept > 0).map(({ statement }) => statement)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/into "?subscription_change/),
        expect.stringMatching(/into "?audit_entry/),
      ]),
    );
  });

  it.each([
    ['accepted', null],
    ['waitlisted', 0],
  ])('that makes a subscription %s takes seven statements besides its transaction', async (status, capacity) => {
    const { id } = await event({ capacity });
    // membership, event, form, other subscriptions; the subscription; its history; the log of changes
    const statements = await statementsOf(`POST /events/${id}/subscriptions`, { notify: false });
    expect(statements, status).toHaveLength(7);
  });

  it('that moves subscriptions reads their answers once, for its response: each may have a megabyte', async () => {
    const { id } = await event();
    const path = `POST /events/${id}/subscriptions`;
    const { body } = await send<{ id: string }>(server, team.owner, path, { notify: false });
    const move = { ids: [body.id], status: 'pending', notify: false };
    const { statements } = await countStatements(server.orm, () =>
      send(server, team.owner, `${path}/transition`, move),
    );
    const reads = statements.filter((text) => /^\s*select .*from "?subscription\b/s.test(text));
    expect(reads.length).toBeGreaterThan(2);
    expect(reads.filter((text) => /answers|"s0"\.\*/.test(text))).toHaveLength(1);
  });

  it('that changes an event takes five: the lock, the role as it is then, the change, the lines of the trail and of the log', async () => {
    const { id } = await event();
    expect(await statementsOf(`PATCH /events/${id}`, { description: 'New.' })).toHaveLength(5);
  });

  it('that changes nothing takes two', async () => {
    const { id, name } = await event();
    expect(await statementsOf(`PATCH /events/${id}`, { name })).toHaveLength(2);
  });

  it('that creates an event reads the slugs that it could give, and not all that begin alike', async () => {
    await server.execute(`insert into event (id, organization_id, name, slug, status, date_start, date_end, visibility, registration)
        select gen_random_uuid(), '${team.organizationId}', 'Serie', 'serie-' || i, 0, now(), now(), 'organization', 'open'
        from generate_series(1000, 6000) i`);
    const { result, statements } = await countStatements(server.orm, async () => [
      (await event({ name: 'Serie' })).slug,
      (await event({ name: 'Serie' })).slug,
    ]);
    expect(result).toEqual(['serie', 'serie-2']);
    expect(statements.filter((text) => / like /i.test(text))).toEqual([]);
  });
});
