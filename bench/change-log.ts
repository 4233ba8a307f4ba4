import type { PoolClient } from 'pg';
import type { Progress } from '../packages/command-line/src/index.ts';

const chunk = 250_000;

/**
 * Fills the log of changes up to a number of entries, half of them of one organization. Of ten entries six are of subscriptions
 * of a thousand users, every hundredth is of a form, and a tenth is of drafts. They are spread over all transactions so far.
 *
 * @param member has a thousandth of the subscriptions
 */
export async function fillLog(
  client: PoolClient,
  { organization, member }: { organization: string; member: string },
  rows: number,
  progress: Progress,
): Promise<void> {
  const { rows: found } = await client.query<{ count: string }>('select count(*) from change');
  const there = Number(found[0]?.count);
  if (there > rows) throw new Error(`The log has ${there} entries already: measure smaller sizes first.`);
  await client.query(`set statement_timeout = 0`);
  await client.query(`create or replace function pg_temp.user_of(n bigint) returns uuid language sql
    return case when n % 1000 = 0 then '${member}'::uuid else lpad(to_hex(n % 1000), 32, '0')::uuid end`);
  progress.begin('changes', rows - there);
  for (let from = there; from < rows; from += chunk) {
    const upTo = Math.min(rows, from + chunk);
    await client.query(
      `insert into change (organization_id, x, id, kind, op, member_op, object_id, event_id, user_id, version, actor_id, occurred_at)
        select case when i % 2 = 0 then $1::uuid else others.ids[1 + i / 2 % cardinality(others.ids)] end,
          (3 + (i::float8 / $4 * transactions)::bigint)::text::xid8, gen_random_uuid(), kind, op, case when i / 2 % 10 <> 9 then op end,
          gen_random_uuid(), gen_random_uuid(), case when kind = 'subscription' then pg_temp.user_of(i / 20) end,
          case when kind <> 'subscription' then 2 end, $5::uuid, clock_timestamp()
        from generate_series($2::bigint, $3::bigint - 1) i
        cross join (select array(select id from organization where id <> $1::uuid) as ids) others
        cross join (select pg_current_xact_id()::text::bigint - 4 as transactions) now
        cross join lateral (select case when i / 2 % 100 = 7 then 'form' when i / 2 % 10 < 6 then 'subscription' else 'event' end as kind,
          case when i / 2 % 3 = 0 then 'created' else 'changed' end as op) what`,
      [organization, from, upTo, rows, member],
    );
    progress.advance(upTo - from);
  }
  progress.end();
  await client.query('vacuum analyze change');
}
