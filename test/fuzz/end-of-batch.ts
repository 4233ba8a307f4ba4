import { isDeepStrictEqual } from 'node:util';
import type { Orm } from '../../src/db/orm.ts';
import type { Batch } from './batch.ts';

/** Whose every row is, as the database knows it. */
const owners = `
  select id, organization_id from event union all
  select id, organization_id from membership union all
  select id, organization_id from invitation union all
  select id, organization_id from api_key union all
  select id, organization_id from webhook union all
  select id, organization_id from audit_entry union all
  select s.id, e.organization_id from subscription s join event e on e.id = s.event_id union all
  select c.id, e.organization_id from subscription_change c join subscription s on s.id = c.subscription_id
    join event e on e.id = s.event_id`;

/** The rows that were shown for an organization although they are of another one. */
export async function findStrangeRows(orm: Orm, { shown }: Batch): Promise<string[]> {
  const found: string[] = [];
  for (const [organizationId, ids] of shown) {
    const rows = await orm.em
      .fork()
      .execute<{ id: string; organization_id: string }[]>(
        `select id, organization_id from (${owners}) rows where id = any(?::uuid[]) and organization_id <> ?`,
        [`{${[...ids].join()}}`, organizationId],
      );
    found.push(...rows.map(({ id, organization_id }) => `${id} of ${organization_id} was shown for ${organizationId}`));
  }
  return found;
}

/** What is the same in two organizations that were written alike, whatever their ids and the moments of the writes. */
const contents: Record<string, string> = {
  events: `select name, slug, replace(coalesce(description, '-'), $2, '') as description, status, date_start, date_end, timezone,
      location, capacity, visibility, registration, waiting_list, accepted_count, version, archived_cancelled
    from event where organization_id = $1 order by slug`,
  subscriptions: `select e.slug, s.user_id, s.status, s.answers, s.form_version, s.checked_in_at is not null as checked_in,
      case when s.waiting_since is not null then rank() over (partition by e.id order by s.waiting_since, s.id) end as waiting
    from subscription s join event e on e.id = s.event_id where e.organization_id = $1
    order by e.slug, s.user_id, s.created_at`,
  history: `select e.slug, s.user_id, c.kind, c.status_from, c.status_to, c.actor_id, count(*)::int
    from subscription_change c join subscription s on s.id = c.subscription_id join event e on e.id = s.event_id
    where e.organization_id = $1 group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`,
  members: `select user_id, role from membership where organization_id = $1 order by user_id`,
  invitations: `select email, role, inviter_id from invitation where organization_id = $1 order by email, role, inviter_id`,
  keys: `select role, access, count(*)::int from api_key where organization_id = $1 group by 1, 2 order by 1, 2`,
  webhooks: `select url, kinds, description, status from webhook where organization_id = $1 order by 1, 2, 3`,
  organization: `select name, signup, description, website, contact_email, accent, version from organization where id = $1`,
  audit: `select action, actor_id, count(*)::int from audit_entry where organization_id = $1 group by 1, 2 order by 1, 2`,
  changes: `select kind, op, member_op, count(*)::int from change where organization_id = $1 group by 1, 2, 3 order by 1, 2, 3`,
};

/** What is the same of two accounts that were written alike. */
const contentsOfAccount: Record<string, string> = {
  person: `select name, email is null as erased, password_hash is null as closed from "user" where id = $1`,
  sessions: `select user_agent, ended_at is null as open, end_reason from session where user_id = $1 order by 1, 2, 3`,
  organizations: `select m.role, o.name, o.version from membership m join organization o on o.id = m.organization_id
    where m.user_id = $1 order by 1, 2, 3`,
  audit: `select action, detail->>'reason' as reason, count(*)::int from audit_entry where subject_id = $1
    group by 1, 2 order by 1, 2`,
};

/** Where two twins differ after the same writes, made by different faces. */
export async function compareTwins(orm: Orm, { world }: Batch): Promise<string[]> {
  const [first, second] = world.twins.map(({ organizationId, marker }) => ({ $1: organizationId, $2: marker }));
  return await compare(orm, 'twins', contents, first as Named, second as Named);
}

/** Where two accounts differ after the same writes, made by different faces. */
export async function compareAccounts(orm: Orm, { world }: Batch): Promise<string[]> {
  const [first, second] = world.accounts.map(({ userId }) => ({ $1: userId }));
  return await compare(orm, 'accounts', contentsOfAccount, first as Named, second as Named);
}

/** What stands in a text in place of names. */
type Named = Record<string, string>;

async function compare(orm: Orm, whose: string, texts: Named, one: Named, other: Named): Promise<string[]> {
  const found: string[] = [];
  for (const [what, text] of Object.entries(texts)) {
    const read = (named: Named) =>
      orm.em
        .fork()
        .execute<object[]>(
          Object.entries(named).reduce((all, [name, value]) => all.replaceAll(name, `'${value}'`), text),
        );
    const [first, second] = [await read(one), await read(other)];
    if (isDeepStrictEqual(first, second)) continue;
    const longer = first.length >= second.length ? first : second;
    const at = longer.findIndex((_, index) => !isDeepStrictEqual(first[index], second[index]));
    found.push(`the ${what} of the ${whose} differ: ${JSON.stringify(first[at])} and ${JSON.stringify(second[at])}`);
  }
  return found;
}
