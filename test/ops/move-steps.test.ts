import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asOperator } from '../../src/commands/admin/operator.ts';
import { withClient } from '../../src/db/client.ts';
import { copyOrganization } from '../../src/db/move/copy-organization.ts';
import { leftBehind, ownedTables, rowsOf } from '../../src/db/move/tables.ts';
import { leavePlace } from '../../src/domain/leaving/leave-place.ts';
import { createKey } from '../support/api-keys.ts';
import { changesPage } from '../support/changes.ts';
import { runCommand } from '../support/command.ts';
import { ask } from '../support/database.ts';
import { useEveryOperation } from '../support/every-operation.ts';
import { insertEvent, insertMember, insertOrganization, insertUser } from '../support/fixtures.ts';
import { graphql } from '../support/graphql.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { startReceiver } from '../support/receiver.ts';
import { send } from '../support/send.ts';
import { type Shards, startShards } from '../support/shards.ts';
import { signIn } from '../support/sign-in.ts';
import { createTeam, type Team } from '../support/team.ts';
import { allowLoopback, createWebhook, messagesOf } from '../support/webhooks.ts';

// What holds before, between and after the steps of a move (docs/operations/scale.md#moving-an-organization).

let shards: Shards;
beforeAll(async () => {
  shards = await startShards(allowLoopback);
}, 120_000);
afterAll(() => shards.close());

const at = (server: { databaseUrl: string }, statement: string) => ask(server.databaseUrl, statement);
const knows = async (server: { databaseUrl: string }, id: string) =>
  (await at(server, `select id from organization where id = '${id}'`)).length;

const moving = {
  status: 503,
  body: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringMatching('is being moved to another service') },
};

/** Begins a move, and dies behind its fence. */
async function dieFenced(id: string): Promise<void> {
  await shards.announce(id);
  await shards.fence(id);
}

/** Goes on, and dies once the other database has it. */
async function dieCopied(id: string): Promise<void> {
  await dieFenced(id);
  await withClient(shards.one.databaseUrl, (source) =>
    withClient(shards.two.databaseUrl, async (target) => {
      await target.query('begin');
      await copyOrganization(source, target, { id, tables: await ownedTables(source), began: new Date() });
      await target.query('commit');
    }),
  );
}

/** Goes on, and dies before its rows are deleted. */
async function dieDeleting(id: string): Promise<void> {
  await dieCopied(id);
  await asOperator({ directUrl: shards.one.databaseUrl, rowSecurity: false }, (ctx) =>
    leavePlace(ctx, id, shards.two.url),
  );
}

const fields = { name: 'New', date_start: '2031-05-03T10:00:00Z', date_end: '2031-05-03T12:00:00Z' };

describe('behind the fence', () => {
  it('both faces refuse writes with a time to retry, and reads and other organizations go on', async () => {
    const { one } = shards;
    const [team, other] = [await createTeam(one), await createTeam(one)];
    const key = await createKey(one, team.owner);
    const event = await insertPublicEvent(one, { organizationId: team.organizationId });
    await dieFenced(team.organizationId);
    for (const caller of [team.manager, key]) {
      const refused = await send(one, caller, 'POST /events', fields);
      expect(refused).toMatchObject(moving);
      expect(refused.headers.get('retry-after')).toBe('2');
      const mutation = `mutation { createEvent(input: {name: "New", dateStart: "${fields.date_start}", dateEnd: "${fields.date_end}"}) { event { id } } }`;
      const { errors } = await graphql(one, caller, mutation);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retry_after: 2 });
      expect((await send(one, caller, `GET /events/${event.id}`)).status).toBe(200);
    }
    const guest = { name: 'Grace', email: 'grace@example.org' };
    const asked = `POST /public/events/${event.id}/subscriptions`;
    expect(await send(one, { organizationId: team.organizationId }, asked, guest)).toMatchObject(moving);
    expect(
      await send(one, team.owner, 'POST /api-keys', { name: 'New', role: 'member', access: 'read' }),
    ).toMatchObject(moving);
    expect(await send(one, team.manager, `PATCH /events/${event.id}`, { capacity: 9 })).toMatchObject(moving);
    expect((await send(one, other.manager, 'POST /events', fields)).status).toBe(201);
    const cancelled = await shards.move(team.organizationId, '--cancel');
    expect([cancelled.code, cancelled.stdout]).toEqual([0, 'Cancelled; it is open again.\n']);
    expect((await send(one, team.manager, 'POST /events', fields)).status).toBe(201);
    expect(await at(one, `select id from organization_move`)).toEqual([]);
  });
});

describe('a move that was interrupted', () => {
  it.each([
    ['behind the fence', dieFenced],
    ['once the other database has it', dieCopied],
    ['before its rows are deleted', dieDeleting],
  ])(
    '%s goes on where it was',
    async (_when, die) => {
      const { one, two } = shards;
      const team = await createTeam(one);
      const { organizationId } = team;
      const event = await insertEvent(one.orm, { organizationId });
      await die(organizationId);
      expect((await shards.move(organizationId)).code).toBe(0);
      expect([await knows(one, organizationId), await knows(two, organizationId)]).toEqual([0, 1]);
      expect(await at(two, `select id from event where organization_id = '${organizationId}'`)).toEqual([event]);
      expect(await at(one, `select id from organization_move`)).toEqual([]);
      expect(await at(one, `select tgname from pg_trigger where tgname like 'a_moving%'`)).toEqual([]);
    },
    60_000,
  );

  it.each([
    ['once the other database has it', dieCopied],
    ['before its rows are deleted', dieDeleting],
  ])(
    '%s cannot be cancelled, and its writes stay refused',
    async (_when, die) => {
      const { one } = shards;
      const team = await createTeam(one);
      await die(team.organizationId);
      const cancelled = await shards.move(team.organizationId, '--cancel');
      expect([cancelled.code, cancelled.stderr]).toEqual([1, expect.stringContaining('run this without --cancel')]);
      const { status } = await send(one, team.manager, 'POST /events', fields);
      expect([421, 503]).toContain(status);
      expect((await shards.move(team.organizationId)).code).toBe(0);
    },
    60_000,
  );

  it('does not go on to another database', async () => {
    const { one } = shards;
    const { organizationId } = await createTeam(one);
    await dieFenced(organizationId);
    const args = ['organizations', 'move', organizationId, '--url', 'https://three.example'];
    const wrong = await runCommand('admin', [...args, '--to', one.databaseUrl], { DATABASE_URL: one.databaseUrl });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('Its move goes to')]);
    expect((await shards.move(organizationId, '--cancel')).code).toBe(0);
  });
});

describe('a move is refused before anything changes', () => {
  const refused = async (
    team: Pick<Team, 'organizationId'>,
    reason: string,
    from = shards.one.databaseUrl,
    to = shards.two,
  ) => {
    const args = ['organizations', 'move', team.organizationId, '--to', to.databaseUrl, '--url', to.url];
    const { code, stdout, stderr } = await runCommand('admin', args, { DATABASE_URL: from });
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(reason)]);
    expect(await at(shards.one, 'select id from organization_move')).toEqual([]);
    expect(await at(shards.one, `select tgname from pg_trigger where tgname like 'a_moving%'`)).toEqual([]);
    expect([await knows(shards.one, team.organizationId), await knows(shards.two, team.organizationId)]).toEqual([
      1, 0,
    ]);
  };

  it('if the other database has another account with an address, and says which', async () => {
    const { one, two } = shards;
    const { id: organizationId } = await insertOrganization(one.orm);
    const { email } = await insertMember(one.orm, { organizationId });
    await insertUser(two.orm, { email });
    await refused({ organizationId }, `1 addresses belong to other accounts in the other database: ${email}`);
  });

  it('if the other database has its slug', async () => {
    const { one, two } = shards;
    const { id: organizationId } = await insertOrganization(one.orm, { slug: 'bakery' });
    await insertOrganization(two.orm, { slug: 'bakery' });
    await refused({ organizationId }, 'an organization with the slug bakery');
  });

  it.each([
    ['a newer', 'two'],
    ['an older', 'one'],
  ] as const)('if the other database is of %s version', async (_which, newer) => {
    const team = await createTeam(shards.one);
    const name = 'Migration9999';
    await at(shards[newer], `insert into mikro_orm_migrations (name) values ('${name}')`);
    try {
      await refused(team, 'The other database is of another version: upgrade both services first.');
    } finally {
      await at(shards[newer], `delete from mikro_orm_migrations where name = '${name}'`);
    }
    expect((await send(shards.one, team.manager, 'POST /events', fields)).status).toBe(201);
  });

  it('if a role does not own the tables, of this database or of the other one', async () => {
    const { one, two } = shards;
    const team = await createTeam(one);
    const reason = 'as the role that owns the tables';
    await refused(team, `Run this ${reason}`, await shards.asOther('one'));
    await refused(team, `Name the other database ${reason}`, one.databaseUrl, {
      ...two,
      databaseUrl: await shards.asOther('two'),
    });
    expect((await send(one, team.manager, 'POST /events', fields)).status).toBe(201);
  });

  it('if it is the same database', async () => {
    const { one } = shards;
    const { id } = await insertOrganization(one.orm);
    const args = ['organizations', 'move', id, '--to', one.databaseUrl, '--url', one.url];
    const { code, stderr } = await runCommand('admin', args, { DATABASE_URL: one.databaseUrl });
    expect([code, stderr]).toEqual([1, expect.stringContaining('has an organization with this id')]);
  });
});

describe('after a move', () => {
  it('the other database has each row with its ids', async () => {
    const { one, two } = shards;
    await useEveryOperation(one);
    const [found] = await at(
      one,
      `select organization_id as id from audit_entry join organization o on o.id = organization_id
      where o.deleted_at is null group by 1 order by count(*) desc limit 1`,
    );
    const id = String(found?.id);
    const client = new Client({ connectionString: one.databaseUrl });
    await client.connect();
    const tables = (await ownedTables(client)).filter(({ name }) => !(name in leftBehind));
    await client.end();
    // what jobs change meanwhile is compared by its keys, and what a move changes as well
    const byKey = ['mail_job', 'webhook', 'webhook_due', 'webhook_delivery', 'api_key', 'event', 'notice_fan_out'];
    const rows = async (server: { databaseUrl: string }, table: (typeof tables)[number]) => {
      const columns = byKey.includes(table.name) ? ['id'] : table.columns;
      const select = `select r::text as row from (${rowsOf({ ...table, columns }, id)}) r order by 1`;
      return (await at(server, select)).map(({ row }) => row);
    };
    const before = new Map<string, unknown[]>();
    for (const table of tables) before.set(table.name, await rows(one, table));
    const counts = 'select id, accepted_count from event where organization_id =';
    const places = await at(one, `${counts} '${id}' order by id`);
    const moved = await shards.move(id);
    expect([moved.code, moved.stderr]).toEqual([0, expect.stringContaining('Copying')]);
    for (const table of tables) expect(await rows(two, table), table.name).toEqual(before.get(table.name));
    expect(await at(two, `${counts} '${id}' order by id`)).toEqual(places);
    const filled = [...before].filter(([, each]) => each.length > 0).map(([name]) => name);
    expect(filled).toEqual(
      expect.arrayContaining([
        'event',
        'subscription',
        'subscription_change',
        'form_version',
        'api_key',
        'audit_entry',
      ]),
    );
    for (const { name, owner } of tables) {
      if (owner || name === 'organization') continue;
      expect(await at(one, `select from "${name}" where organization_id = '${id}'`), name).toEqual([]);
    }
  }, 120_000);

  it('the first service names the place on both faces, and the second goes on with the same key, webhooks and a new log', async () => {
    const { one, two } = shards;
    const receiver = await startReceiver();
    const team = await createTeam(one);
    const { organizationId } = team;
    const key = await createKey(one, team.owner);
    await insertPublicEvent(one, { organizationId, slug: 'bread' });
    await createWebhook(one, team.owner, { url: receiver.url });
    const { body: page } = await changesPage(one, team.manager, 'since=now');
    const [{ slug = '' } = {}] = (await at(one, `select slug from organization where id = '${organizationId}'`)) as {
      slug: string;
    }[];
    expect((await shards.move(slug)).code).toBe(0);

    const place = { code: 'ORGANIZATION_MOVED', moved_to: two.url };
    for (const caller of [team.manager, key, { accessToken: key.secret }]) {
      expect(await send(one, caller, 'GET /events')).toMatchObject({ status: 421, body: place });
      const { status, errors } = await graphql(one, caller, '{ events { totalCount } }');
      expect([status, errors?.[0]?.extensions]).toEqual([421, expect.objectContaining(place)]);
    }
    expect(await send(one, { organizationId }, 'GET /public/events')).toMatchObject({ status: 421, body: place });
    for (const path of [`/o/${slug}`, `/o/${slug}/bread`, `/o/${slug}/bread.ics`]) {
      const answer = await fetch(`${one.url}${path}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([308, `${two.url}${path}`]);
      expect((await fetch(`${two.url}${path}`)).status).toBe(200);
    }
    const again = await shards.move(organizationId);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`It has moved: it is at ${two.url} now.`)]);

    expect((await send(two, key, 'POST /events', fields)).status).toBe(201);
    const person = { ...team.manager, ...(await signIn(two.url, team.manager.email)) };
    expect((await changesPage(two, person, `token=${page.next}`)).status).toBe(410);
    const told = await messagesOf(receiver, 4);
    expect(told.map(({ type }) => type)).toEqual(expect.arrayContaining(['event.refetch', 'event.created']));
    await receiver.close();
  }, 60_000);

  it('it can come back', async () => {
    const { one, two } = shards;
    const team = await createTeam(one);
    const key = await createKey(one, team.owner);
    expect((await shards.move(team.organizationId)).code).toBe(0);
    expect((await send(two, key, 'POST /events', fields)).status).toBe(201);
    expect((await shards.moveBack(team.organizationId)).code).toBe(0);
    expect((await send(one, key, 'GET /events')).body).toMatchObject({ length: 1 });
    expect((await send(two, key, 'GET /events')).status).toBe(421);
    expect(await at(one, `select id from organization_place where id = '${team.organizationId}'`)).toEqual([]);
  }, 60_000);
});
