import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { generate } from '#generated-data';
import { hashPassword, verifyPassword } from '#passwords';
import { withClient } from '../../src/db/client.ts';
import { createDemo, demoPassword, ensureDemo, findDemoAccounts } from '../../src/db/demo/demo.ts';
import { answersSchema } from '../../src/domain/form/answers-schema.ts';
import { type Question, questionList } from '../../src/domain/form/question.ts';
import { organizationFields } from '../../src/domain/organization/organization.input.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { silent } from '../support/import.ts';
import { inTest, shared } from '../support/shared.ts';

const organizationInput = z.strictObject(organizationFields).partial();

/** A database of one test. */
const ownDatabase = () => inTest(createTestDatabase());

const counts = { organizations: 5, users: 400, events: 1000, subscriptions: 6000 };
const make = (on: TestDatabase, seed: number) =>
  withClient(on.url, (client) => generate(client, { counts, seed, hashPassword, progress: silent }));
const generated = await shared(createTestDatabase());
const { organizationId, accounts } = await make(generated, 1);
const demo = await shared(createTestDatabase());
const demoAccounts = await ensureDemo(demo.orm);

const waitingInVain = `select e.id from event e where status = 1 and date_end >= now() and (capacity is null or accepted_count < capacity)
  and exists (select from subscription s where s.event_id = e.id and s.status = 'waitlisted')`;
const wrongCounts = `select id from event e where accepted_count <>
  (select count(*) from subscription s where s.event_id = e.id and s.status = 'accepted')`;
const wrongPlaces = [
  ...[waitingInVain, wrongCounts, 'select id from event where accepted_count > capacity'],
  `select id from subscription where (status = 'waitlisted') <> (waiting_since is not null)`,
];

test.each(Object.entries({ generated, demo }))(
  '%s keeps the rules of places, where there are some that are full',
  async (_, on) => {
    for (const wrong of wrongPlaces) expect(await on.execute(wrong)).toEqual([]);
    const full = 'select id from event where status = 1 and date_end >= now() and capacity = accepted_count';
    expect(await on.execute(full)).not.toEqual([]);
  },
);

describe('generate', () => {
  const select = generated.execute;
  const digest = async (on: TestDatabase) => {
    const tables = ['organization', 'user', 'membership', 'event', 'subscription'];
    const rows = tables.map((table) =>
      on.execute<{ count: number; digest: string }>(
        `select count(*)::int, md5(string_agg((to_jsonb(t) - 'password_hash')::text, ',' order by id)) as digest from "${table}" t`,
      ),
    );
    return (await Promise.all(rows)).flat();
  };

  test('makes as many rows as asked for, the same for the same seed, others for another', async () => {
    const others = [await ownDatabase(), await ownDatabase()] as const;
    await Promise.all([make(others[0], 1), make(others[1], 2)]);
    const [one, same, other] = await Promise.all([generated, ...others].map(digest));
    expect(one?.map(({ count }) => count)).toEqual([5, 400, 400, 1000, 6000]);
    expect(same).toEqual(one);
    for (const [index, { digest: each }] of (other ?? []).entries()) expect(each).not.toBe(one?.[index]?.digest);
  });

  test('gives one organization half of the events, and one event a crowd', async () => {
    const sizes = await select('select organization_id, count(*)::int from event group by 1 order by 2 desc');
    expect([sizes.length, sizes[0]]).toEqual([5, { organization_id: organizationId, count: 500 }]);
    const [crowd, next] = await select<{ count: number }>(
      'select count(*)::int from subscription group by event_id order by 1 desc limit 2',
    );
    expect(crowd?.count).toBeGreaterThan(1.5 * (next?.count ?? 0));
  });

  test('uses every status, visibility, registration and state, and leaves out some capacities', async () => {
    const kinds = `select count(distinct status)::int as statuses, count(distinct visibility)::int as visibilities,
      count(distinct registration)::int as registrations, count(*) filter (where capacity is null) > 100 as unlimited,
      (select count(distinct status)::int from subscription) as states from event`;
    const expected = { statuses: 4, visibilities: 2, registrations: 3, states: 5, unlimited: true };
    expect(await select(kinds)).toEqual([expected]);
  });

  test('tells accounts that can sign in, of all roles in the large organization', async () => {
    for (const { role, email, password } of accounts) {
      const [row] = await select<{ role: string; password_hash: string; verified: boolean }>(
        `select role, password_hash, verified_at is not null as verified from "user" u join membership m on m.user_id = u.id
          where email = '${email}' and organization_id = '${organizationId}'`,
      );
      expect(row).toMatchObject({ role, verified: true });
      expect(await verifyPassword(row?.password_hash ?? null, password)).toBe(true);
    }
    expect(accounts.map(({ role }) => role)).toEqual(['owner', 'manager', 'member']);
  });

  test('leaves the schema and the triggers as they were', async () => {
    expect((await generated.orm.schema.getUpdateSchemaSQL()).trim()).toBe('');
    await select(`update subscription set status = 'accepted'`);
    expect(await select(wrongCounts)).toEqual([]);
    await expect(select(`update subscription set event_id = gen_random_uuid()`)).rejects.toThrow(/foreign key/);
  });
});

describe('the demo', () => {
  const select = demo.execute;

  test('has every phase, status, visibility and registration together, and subscriptions in all states', async () => {
    const combinations = await select(
      `select distinct status, visibility, registration, case when date_end < now() then 'past' when date_start > now() then 'future' else 'running' end
        from event`,
    );
    expect(combinations).toHaveLength(4 * 2 * 3 * 3);
    const sizes = `select (select count(*)::int from event) as events, count(*) > 2000 as many, count(distinct status)::int as states from subscription`;
    expect(await select(sizes)).toEqual([{ events: 212, many: true, states: 5 }]);
    const wrongTimes = `select s.id from subscription s join event e on e.id = s.event_id
      where s.created_at > now() or s.created_at < e.created_at`;
    expect(await select(wrongTimes)).toEqual([]);
  });

  test('is the programme of a year: evenings, courses of some weeks, and exhibitions, by one clock each organization', async () => {
    const events = await select<{ name: string; hours: number; days: number; clock: string; timezone: string }>(
      `select name, timezone, extract(epoch from date_end - date_start)::float8 / 3600 as hours,
          to_char(date_start at time zone timezone, 'HH24:MI') as clock,
          extract(epoch from date_start at time zone timezone)::float8 / 86400 as days
        from event where id not in (select event_id from form_version) order by date_start`,
    );
    const scenes = ['Harbour Lights Concert', 'Volunteers’ Summer Picnic', 'Neighbourhood Breakfast'];
    for (const { name, hours, clock } of events.filter((each) => !scenes.includes(each.name))) {
      if (name.startsWith('Exhibition')) expect([name, hours > 24, clock]).toEqual([name, true, '10:00']);
      else expect([name, [2, 3].includes(hours), clock >= '18:00' && clock <= '20:00']).toEqual([name, true, true]);
    }
    const courses = Map.groupBy(
      events.filter(({ name }) => / of \d$/.test(name)),
      ({ name }) => name.replace(/, Evening.*/, ''),
    );
    expect(courses.size).toBe(8);
    for (const [name, of] of courses) {
      for (const [index, { name: shown, days }] of of.entries()) {
        expect(shown).toBe(`${name}, Evening ${index + 1} of ${of.length}`);
        expect(days - (of[0]?.days ?? 0)).toBeCloseTo(7 * index);
      }
    }
    const zones = await select('select count(distinct timezone)::int as zones from event group by organization_id');
    expect(zones).toEqual(Array(2).fill({ zones: 1 }));
  });

  test('has two organizations that say who they are, and somebody who is in both', async () => {
    const said = await select<Record<string, string>>(
      'select slug, description, website, contact_email, accent from organization order by slug',
    );
    expect(said.map(({ slug }) => slug)).toEqual(['demo', 'demo-books']);
    for (const { slug: _slug, ...fields } of said) expect(organizationInput.safeParse(fields).error).toBeUndefined();
    const roles = await select(
      `select o.slug, m.role from membership m join "user" u on u.id = m.user_id join organization o on o.id = m.organization_id
        where u.email = 'member@demo.example' order by o.slug`,
    );
    expect(roles).toEqual([
      { slug: 'demo', role: 'member' },
      { slug: 'demo-books', role: 'manager' },
    ]);
  });

  test('is known to the planner at once, so that the first requests are as fast as the next', async () => {
    const known = `select relname as name, reltuples::int as rows from pg_class where relname in ('event', 'subscription') order by 1`;
    const subscriptions = (await select('select id from subscription')).length;
    expect(await select(known)).toEqual([
      { name: 'event', rows: 212 },
      { name: 'subscription', rows: subscriptions },
    ]);
  });

  test('tells the history of each subscription', async () => {
    const [history] = await select(`with step as (
        select c.*, s.status, s.checked_in_at, s.created_at as made,
          lag(status_to) over line as before, row_number() over line as number,
          last_value(status_to) over (line rows between unbounded preceding and unbounded following) as ends
        from subscription s left join subscription_change c on c.subscription_id = s.id
        window line as (partition by s.id order by c.created_at, c.id)
      ) select count(*) filter (where number = 1 and (status_from is not null or created_at <> made))::int as wrong_beginnings,
        count(*) filter (where number > 1 and status_from <> before)::int as gaps,
        count(*) filter (where ends is distinct from status)::int as wrong_ends,
        count(*) filter (where kind = 'check_in')::int as check_ins, count(*) filter (where kind = 'check_in' and created_at <> checked_in_at)::int as wrong_check_ins,
        count(*) filter (where created_at > now())::int as future from step`);
    const [subscriptions] = await select('select count(checked_in_at)::int as checked from subscription');
    expect(history).toEqual({
      ...{ wrong_beginnings: 0, gaps: 0, wrong_ends: 0, wrong_check_ins: 0, future: 0 },
      check_ins: subscriptions?.checked,
    });
  });

  test('has an event in each form of use, in which the member takes part', async () => {
    const forms =
      await select(`select e.name, e.status, capacity - accepted_count as free, date_start < now() and date_end > now() as now,
        count(*) filter (where s.status = 'waitlisted')::int as waiting, count(*) filter (where s.status = 'pending')::int as pending,
        count(s.checked_in_at)::int as here, max(s.status) filter (where u.email like 'member@%') as member
      from event e left join subscription s on s.event_id = e.id left join "user" u on u.id = s.user_id
      where e.name in ('Harbour Lights Concert', 'Mentoring Circle', 'Neighbourhood Breakfast', 'Volunteers’ Summer Picnic')
      group by e.id order by e.name`);
    const none = { waiting: 0, pending: 0, here: 0 };
    expect(forms).toEqual([
      { ...none, name: 'Harbour Lights Concert', status: 1, free: 0, now: false, waiting: 5, member: 'waitlisted' },
      { ...none, name: 'Mentoring Circle', status: 1, free: 7, now: false, pending: 5, member: 'pending' },
      { ...none, name: 'Neighbourhood Breakfast', status: 1, free: 10, now: true, here: 8, member: 'accepted' },
      { ...none, name: 'Volunteers’ Summer Picnic', status: 0, free: null, now: false, member: null },
    ]);
  });

  test('has events with questions, and answers that the form takes', async () => {
    type Answered = { name: string; questions: Question[]; answers: Record<string, unknown>; form_version: number };
    const rows = await select<Answered>(
      `select e.name, c.questions, s.answers, s.form_version from form_version f join form_content c using (organization_id, hash) join event e on e.id = f.event_id
        join subscription s on s.event_id = e.id order by e.name`,
    );
    expect([...new Set(rows.map(({ name }) => name))]).toEqual(['Mentoring Circle', 'Sourdough Workshop']);
    expect(rows.length).toBeGreaterThan(15);
    for (const { questions, answers, form_version } of rows) {
      expect(questionList.safeParse(questions).error).toBeUndefined();
      expect(answersSchema(questions, { complete: true }).safeParse(answers).error).toBeUndefined();
      expect(form_version).toBe(1);
    }
  });

  test('tells its accounts when it is made and afterwards, until somebody changes the password', async () => {
    expect(demoAccounts?.map(({ role, password }) => ({ role, password }))).toEqual(
      ['owner', 'manager', 'member'].map((role) => ({ role, password: demoPassword })),
    );
    expect(await findDemoAccounts(demo.orm)).toEqual(demoAccounts);
    await select(`update "user" set password_hash = null where email like 'owner@%'`);
    expect((await findDemoAccounts(demo.orm)).map(({ role }) => role)).toEqual(['manager', 'member']);
  });

  test('is made once if several processes start at once', async () => {
    const { orm } = await ownDatabase();
    const made = await Promise.all([1, 2, 3].map(() => ensureDemo(orm)));
    expect(made.filter((accounts) => accounts !== null)).toHaveLength(1);
  });

  test('is not created automatically if there is an organization, but on request', async () => {
    const database = await ownDatabase();
    await database.execute(`insert into organization (id, name, slug) values (gen_random_uuid(), 'Mine', 'mine')`);
    expect(await ensureDemo(database.orm)).toBeNull();
    expect(await findDemoAccounts(database.orm)).toEqual([]);
    const [owner] = await createDemo(database.orm, 'of my own choice');
    expect(owner).toMatchObject({ role: 'owner', email: 'owner@demo.example', password: 'of my own choice' });
    await expect(createDemo(database.orm, 'x')).rejects.toThrow(/already exists/);
  });
});
