import { describe, expect, it } from 'vitest';
import { createProgress } from '#command-line';
import { type Moment, type Place, tail } from '#log-places';
import type { Statement } from '#postgres-access';
import { fillLog } from '../../bench/change-log.ts';
import { changeKinds } from '../../src/domain/change/change.table.ts';
import { readLog, type Viewed } from '../../src/domain/change/read-log.ts';
import { findLogReaders } from '../../src/jobs/webhook-reader.ts';
import { connectedDatabase } from '../support/database.ts';
import { allOf, type Plan, rowsOf } from '../support/plans.ts';

const organizationId = '01900000-0000-7000-8000-000000000001';
const member = '01900000-0000-7000-8000-00000000000a';
const entries = 40_000;

const { client } = await connectedDatabase();
await client.query(`insert into organization (id, name, slug) select lpad(to_hex(i), 32, '0')::uuid, 'Other', 'other-' || i
  from generate_series(1, 200) i`);
await client.query(`insert into "user" (id, email, name) values ('${member}', 'm@example.com', 'M')`);
await client.query(`insert into organization (id, name, slug) values ('${organizationId}', 'Own', 'own')`);
// transactions for the entries to be spread over
for (let i = 0; i < 500; i += 1) await client.query('select pg_current_xact_id()');
await fillLog(client as never, { organization: organizationId, member }, entries, createProgress());
await client.query('analyze');
const at = async (share: number) =>
  (
    await client.query<{ seq: string; id: string }>(
      `select seq, id from change where organization_id = '${organizationId}' order by seq offset ${Math.floor((entries / 2) * share)} limit 1`,
    )
  ).rows[0] as { seq: string; id: string };
const { rows } = await client.query<{ x: string }>('select pg_current_xact_id()::text as x');
const x = Number(rows[0]?.x);
const quiet: Moment = { open: [], from: x, to: x };
const busy: Moment = { open: Array.from({ length: 20 }, (_, i) => x - 60 + i * 3), from: x, to: x + 5 };
const [middle, end] = [await at(0.5), await at(0.999)];
const place = ({ seq, id }: { seq: string; id: string }, moment: Moment, late: Place['late'] = null): Place => ({
  ...{ height: Number(seq), moment, late, newest: tail(id), at: 0, caughtUp: false },
});
const places: Record<string, Place> = {
  'in the middle': place(middle, quiet),
  'in the middle, with open transactions': place(middle, busy),
  'at the end, with open transactions': place(end, busy),
  'in what was late': place(end, busy, { last: Number(middle.seq), moment: { open: [x - 3], from: x, to: x + 1 } }),
};

const views: Record<string, Viewed> = {
  managers: { organizationId, member: null, kinds: changeKinds },
  'managers, of some kinds': { organizationId, member: null, kinds: ['event', 'form'] },
  members: { organizationId, member, kinds: changeKinds },
  'members, of one kind': { organizationId, member, kinds: ['subscription'] },
  'all streams': { organizationId },
};

/** The statement that `run` sends. */
async function statementOf(run: (db: never) => Promise<unknown>): Promise<Statement> {
  let sent: Statement | undefined;
  const db = {
    rows: async (statement: Statement) => {
      sent = statement;
      throw new Error('not sent');
    },
    run: async () => undefined,
    transaction: (work: (unit: never) => Promise<unknown>): Promise<unknown> => work(db as never),
  };
  await run(db as never).catch(() => undefined);
  return sent as Statement;
}

const literal = (value: unknown) =>
  Array.isArray(value) ? `'{${value.join(',')}}'` : typeof value === 'number' ? String(value) : `'${value}'`;

/** How many rows of the log a statement looks at, with the plan that connections keep. */
async function looksAt({ sql: text, parameters: values }: Statement): Promise<number> {
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(`prepare planned as ${text}`);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) execute planned${values.length > 0 ? `(${values.map(literal).join(',')})` : ''}`,
  );
  await client.query('deallocate planned');
  const [plan] = rows.flatMap((row) => row['QUERY PLAN']);
  return rowsOf(allOf((plan as { Plan: Plan }).Plan).filter((each) => each['Relation Name'] === 'change'));
}

describe.each(Object.entries(views))('a page of the log for %s', (_name, view) => {
  it.each(Object.entries(places))('looks at what it shows, %s', async (_where, at) => {
    const statement = await statementOf((db) => readLog(db, view, at, 51));
    // four branches of a page each, and what the open transactions have written
    expect(await looksAt(statement)).toBeLessThan(4 * 51 + 500);
  });
});

it('what webhooks have to do is found without reading the log', async () => {
  await client.query(
    `insert into webhook (id, organization_id, url, kinds, description, status, created_by, place, unread)
      select gen_random_uuid(), '${organizationId}', 'https://a.example', case when i % 2 = 0 then '{form}' else '{event,form}' end::text[],
        '', 'active', '${member}', jsonb_build_object('at', extract(epoch from now())::bigint), false
      from generate_series(1, 10) i`,
  );
  await client.query('analyze webhook');
  expect(await looksAt(await statementOf((db) => findLogReaders(db, [organizationId])))).toBeLessThan(100);
});
