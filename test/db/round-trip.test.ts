import { describe, expect, it } from 'vitest';
import { hashPassword } from '#passwords';
import { createDemo, demoOrganizationId, demoPassword } from '../../src/db/demo/demo.ts';
import { runCommand } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { everyItemAt } from '../support/exports.ts';
import { insertEvent, password } from '../support/fixtures.ts';
import { guestAddress, guestOf } from '../support/guests.ts';
import { importInto } from '../support/import.ts';
import { type Caller, query, send } from '../support/send.ts';
import { createTeam, join, serveInTest, serveTeam, signIn, type Team, type TestServer } from '../support/server.ts';
import { inTest } from '../support/shared.ts';

// An organization that is exported and imported into an empty service gives the same lists (reference/leaving.md).

type Item = Record<string, unknown> & { id: string };

const future = { date_start: '2031-05-01T10:00:00Z', date_end: '2031-05-01T12:00:00Z' };

const { server, team } = await serveTeam();
await live(team);
await createDemo(server.orm, demoPassword);

/** An organization in which everything has happened that a list shows. */
async function live({ organizationId, manager, member, owner }: Team): Promise<void> {
  const ask = (count: number) => ({
    questions: Array.from({ length: count }, (_, index) => ({ key: `q${index}`, type: 'text', label: `“Q” ${index}` })),
  });
  const create = async (fields: object = {}) =>
    (await send<{ id: string }>(server, manager, 'POST /events', { name: 'Fête', status: 1, ...future, ...fields }))
      .body.id;
  const about = { description: '**Hello**', website: 'https://example.org' };
  const profile = { ...about, contact_email: 'a@example.org', accent: '#0b6e4f' };
  expect((await send(server, owner, 'PATCH /organization', profile)).body).toMatchObject({ ...profile, version: 2 });
  const first = await create({ visibility: 'public', capacity: 2, description: 'A\n"b" \u2028 ☃', location: 'Here' });
  await send(server, manager, `PUT /events/${first}/form`, ask(1));
  const answers = { q0: '1e21 “ü”' };
  const place = await send<Item>(server, member, `POST /events/${first}/subscriptions`, { answers });
  await send(server, manager, `PUT /events/${first}/form`, ask(3));
  for (const slug of ['one', 'two', 'three']) await send(server, manager, `PATCH /events/${first}`, { slug });
  await send(server, manager, `POST /events/${first}/subscriptions/${place.body.id}/check-in`);
  await guestOf(server, organizationId).subscribe(first, { name: 'Grace “G” Guest', email: guestAddress() });
  for (const status of [3, 1, 2]) await send(server, manager, `PATCH /events/${first}`, { status });
  const second = await create({ capacity: 0, registration: 'approval', timezone: 'Europe/Berlin' });
  await send(server, owner, `POST /events/${second}/subscriptions`, {});
  await send(server, manager, `POST /events/${second}/subscriptions`, { status: 'waitlisted' });
  await create({ status: 0, name: 'Draft' });
  const leaver = await join(server, organizationId, 'member');
  await send(server, leaver, `POST /events/${second}/subscriptions`, {});
  await send(server, leaver, 'DELETE /auth/me', { password });
  // nothing of others is exported
  const other = await createTeam(server);
  await insertEvent(server.orm, { organizationId: other.organizationId });
}

const rawExport = (caller: Caller, organizationId: string, at = server) =>
  send(at, caller, `GET /organizations/${organizationId}/export`);

/** A service on an empty database with an imported document, and a caller in it. */
async function serveImported(text: string): Promise<TestServer> {
  const database = await inTest(createTestDatabase());
  await importInto(database.url, text);
  return await serveInTest({ databaseUrl: database.url, secrets: server.secrets });
}

/** Users come without passwords; these set theirs. */
async function enter(at: TestServer, userId: string, organizationId: string): Promise<Required<Caller>> {
  const [user] = await at.execute<{ email: string }>('select email from "user" where id = ?', [userId]);
  const hash = await hashPassword('a long phrase of theirs');
  await at.execute('update "user" set password_hash = ? where id = ?', [hash, userId]);
  return { ...(await signIn(at.url, user?.email ?? '', 'a long phrase of theirs')), organizationId };
}

/** What the lists of an organization show. */
async function listsOf(at: TestServer, caller: Caller): Promise<Record<string, unknown>> {
  const walk = (list: string) => everyItemAt<Item>(at, caller, list);
  const events = await walk('/events?limit=50');
  const lists: Record<string, unknown> = { events };
  // memberships get ids of their own
  lists.members = (await walk('/members?include=user')).map(({ id: _, ...each }) => each);
  lists.organization = (await send(at, caller, 'GET /organization')).body;
  lists.counts = (await send(at, caller, 'GET /events/count')).body;
  const many = events.length > 20;
  for (const { id } of many ? events.filter((_, index) => index % 10 === 0) : events) {
    const subscriptions = await walk(`/events/${id}/subscriptions?include=user`);
    const { body: form } = await send<{ version: number }>(at, caller, `GET /events/${id}/form`);
    const forms: unknown[] = [form];
    for (let version = 1; version < form.version; version += 1) {
      forms.push((await send(at, caller, `GET /events/${id}/form?version=${version}`)).body);
    }
    const changes: unknown[] = [];
    for (const each of many ? subscriptions.slice(0, 2) : subscriptions) {
      changes.push(await walk(`/events/${id}/subscriptions/${each.id}/changes?limit=50`));
    }
    lists[id] = { subscriptions, forms, changes };
  }
  return lists;
}

describe('an organization that is exported and imported into an empty service', () => {
  it('gives the same lists to its owners, managers and members', async () => {
    const response = await rawExport(team.owner, team.organizationId);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="organization-.*\.json"$/);
    const { text } = response;
    const imported = await serveImported(text);
    for (const person of [team.owner, team.manager, team.member]) {
      const before = await listsOf(server, person);
      const after = await listsOf(imported, await enter(imported, person.userId, team.organizationId));
      expect(after).toEqual(before);
    }
    const { manager } = team;
    const caller = await enter(imported, manager.userId, team.organizationId);
    const document = `{ events { nodes { slug version subscriptions(first: 5) { nodes { user { name email } changes(first: 9) { nodes { kind actorDatabaseId } } } } } } }`;
    expect(await query(imported, caller, document)).toEqual(await query(server, manager, document));
    // of the public, too, with the former slugs
    const scope = { organizationId: team.organizationId };
    for (const slug of ['one', 'two', 'three']) {
      const former = await send(imported, scope, `GET /public/events/${slug}`);
      expect(former.body).toEqual((await send(server, scope, `GET /public/events/${slug}`)).body);
      expect(former.body.slug).toBe('three');
    }
    // a cursor leads on
    const page = await send<{ next: string }>(server, manager, 'GET /events?limit=1');
    const next = `GET /events?limit=1&token=${page.body.next}`;
    expect((await send(imported, caller, next)).body).toEqual((await send(server, manager, next)).body);
    // once more: nothing is doubled
    await importInto(imported.databaseUrl, text);
    expect(await listsOf(imported, caller)).toEqual(await listsOf(server, manager));
    // and exported again, it is the same document to the byte
    const owner = await enter(imported, team.owner.userId, team.organizationId);
    const again = await rawExport(owner, team.organizationId, imported);
    expect(again.text).toBe(text);
  });

  it('contains nothing of others, no password, and the deleted user', async () => {
    const { text } = await rawExport(team.owner, team.organizationId);
    const document = JSON.parse(text) as Record<string, Item[]>;
    expect(Object.keys(document)).toEqual([
      ...['organizations', 'users', 'memberships', 'events', 'forms', 'former_slugs', 'subscriptions', 'changes'],
    ]);
    expect(document.organizations?.map(({ id }) => id)).toEqual([team.organizationId]);
    expect(new Set(document.events?.map((each) => each.organization_id))).toEqual(new Set([team.organizationId]));
    expect(text).not.toContain('argon2');
    expect(document.users?.filter(({ email }) => email === null)).toMatchObject([
      { name: 'Deleted user', verified: true },
    ]);
    // three of the team, the guest, and whoever was erased
    expect(document.users).toHaveLength(5);
  });

  it('of some size is the same, too, for all organizations by db:export', async () => {
    const signedIn = await signIn(server.url, 'owner@demo.example', demoPassword);
    const owner = { ...signedIn, organizationId: demoOrganizationId };
    const outcome = await command('export', []);
    expect(outcome.code, outcome.stderr).toBe(0);
    expect(outcome.stderr).toContain('Exporting subscriptions');
    const npm = '\n> events-gateway@0.1.0 db:export\n> node src/commands/export.ts\n\n';
    const imported = await serveImported(npm + outcome.stdout);
    const me = await send<{ id: string }>(server, owner, 'GET /auth/me');
    const caller = await enter(imported, me.body.id, demoOrganizationId);
    expect(await listsOf(imported, caller)).toEqual(await listsOf(server, owner));
    const everything = await send<number>(server, owner, 'GET /events/count');
    expect(everything.body).toBeGreaterThan(100);
    const ofEvents = ['event', 'event_slug', 'form_version', 'subscription', 'subscription_change'];
    for (const table of ['organization', 'membership', '"user"', ...ofEvents]) {
      const count = async (at: TestServer) => (await at.execute(`select count(*)::int as n from ${table}`))[0]?.n;
      expect([table, await count(imported)]).toEqual([table, await count(server)]);
    }
  }, 120_000);

  it('is written by db:export as by REST; an unknown one is refused', async () => {
    const outcome = await command('export', ['--organization', team.organizationId]);
    expect(outcome.code).toBe(0);
    const sorted = (text: string) =>
      Object.entries(JSON.parse(text) as Record<string, object[]>).map(([name, rows]) => {
        return [name, rows.map((row) => JSON.stringify(row)).sort()];
      });
    expect(sorted(outcome.stdout)).toEqual(sorted((await rawExport(team.owner, team.organizationId)).text));
    const unknown = '0192aaaa-0000-7000-8000-0000000000c1';
    for (const [reason, ...args] of [
      [unknown, '--organization', unknown],
      ['nonsense', '--organization', 'nonsense'],
      ['Usage', '--organization'],
      ['Usage', 'x'],
      ['Usage', '--organization', 'a', 'b'],
    ]) {
      const refused = { code: 1, stdout: '', stderr: expect.stringContaining(reason as string) };
      expect(await command('export', args)).toMatchObject(refused);
    }
  });
});

const command = (name: string, args: string[]) => runCommand(name, args, { DATABASE_URL: server.databaseUrl });
