import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database, UnitOfWork } from '../../engine/database.ts';
import { notMoving } from '../../engine/moved.ts';
import type { ChangeRow } from '../change/change-view.ts';
import { sealedSecrets } from './webhook-secrets.ts';

/** A change to send, claimed by this process. */
export interface ClaimedChange {
  id: string;
  /** Shared by the changes of a run, which are sent one after the other. */
  claim: string;
  webhook_id: string;
  organization_id: string;
  seq: string;
  change: ChangeRow;
  /** How many tries were recorded before. */
  attempts: number;
}

/** Changes of one webhook that were claimed together, and what it takes to send them. */
export interface ClaimedRun {
  webhook_id: string;
  organization_id: string;
  url: string;
  /** The sealed secrets that sign, newest first. */
  secrets: string[];
  /** Whether the last try of the webhook was delivered. */
  healthy: boolean;
  changes: ClaimedChange[];
}

/** A row of the statement that claims; the last one of each run has what holds for all. */
type ClaimedRow = ClaimedChange & { healthy: boolean } & (
    | { url: string; secrets: string[] }
    | { url: null; secrets: null }
  );

/** How many deliveries may be in flight, in all processes together (interface/webhooks.md#fairness). */
const inFlight = { organization: 16, silentOfOrganization: 12, webhook: 8, silentWebhook: 1 };

/** How many changes a run has at most, if the last try of the webhook was delivered; otherwise one. */
const longestRun = 8;

/**
 * Seconds after which a process that made a try must have died: longer than a try can take, and short enough for another
 * process to follow within a minute.
 */
const lease = 40;

/**
 * The lock of claiming: two processes that claim at once would both count the same deliveries in flight. A claim that a crash of
 * PostgreSQL forgets is made again, so nobody waits for the disk. Rows change and go faster than vacuum follows: a plain scan of
 * an index passes over the dead ones that an earlier scan has found, other scans look at all of them again. Planning a claim takes as
 * long as claiming fifty changes, so a connection does that once, and must not scan the table because it was empty then.
 */
const beginClaim = sql`select pg_advisory_xact_lock(hashtextextended('webhook claims', 0)),
  set_config('synchronous_commit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
  set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`;

/**
 * What waits is looked up by indexes, whatever PostgreSQL knows about a table that was empty a moment ago and is not now. For the
 * transaction that is open.
 */
export const lookUpOnly = sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;

/** Whether the last try of a webhook had an answer; not before the first one, so that new webhooks cannot take all places. */
const hasAnswered = (webhook: Sql) =>
  sql`(${webhook}.answering and coalesce(${webhook}.last_success_at, ${webhook}.last_failure_at) is not null)`;

/** Whether one of `heads` is the last of its run. */
const isLast = sql`heads.nth + heads.room > heads.number`;

/** Whether another change of the object of `d` is being sent: one that was held back then, since an earlier one was queued again. */
const objectBusy = sql`exists (select from webhook_due o where o.webhook_id = d.webhook_id and o.kind = d.kind
    and o.object_id = d.object_id and o.held and o.claimed_until > now())`;

/** Whether the webhook `w` has a change that is due. Ordered, so that the plan looks at the first one of the index. */
export const hasDue = sql`(select d.due_at from webhook_due d where d.webhook_id = w.id and not d.held
    order by d.due_at limit 1) <= now()`;

/** The changes of the webhook `w` that can be sent now. */
const claimable = sql`select d.id, d.due_at, d.seq from webhook_due d
  where d.webhook_id = w.id and not d.held and d.due_at <= now()
    and (d.claimed_until is null or d.claimed_until <= now()) and not ${objectBusy}`;

/**
 * Claims changes that are due, in runs: one delivery in flight each, whose changes are sent one after the other, since a claim
 * takes as long as many deliveries. Of a webhook whose last try had no answer, those come first that were not tried yet: objects
 * at which the endpoint hangs hold up others for one try only. Organizations take turns, and so do the webhooks of each: whoever has the fewest in flight
 * comes first.
 *
 * @param free how many deliveries the process can begin
 * @param freeForFailing how many of them may be of webhooks whose last try failed
 */
export async function claimChanges(db: Database, free: number, freeForFailing: number): Promise<ClaimedRun[]> {
  const claimed = await db.transaction(async (unit) => {
    await unit.run(beginClaim);
    return await unit.rows<ClaimedRow>(sql`with flight as materialized (
        select webhook_id, organization_id, count(*)::int as n from webhook_due where run_until > now() group by 1, 2
      ), waiting as (
        select w.id, w.organization_id, w.healthy, w.answering, ${hasAnswered(sql`w`)} as answered, coalesce(f.n, 0) as own, coalesce(o.n, 0) as others,
          coalesce(o.silent, 0) as silent,
          greatest((case when w.answering then ${inFlight.webhook}::int else ${inFlight.silentWebhook}::int end) - coalesce(f.n, 0), 0) as room,
          case when w.healthy then ${longestRun}::int else 1 end as longest
        from webhook w left join flight f on f.webhook_id = w.id
          left join (
            select f.organization_id, sum(f.n)::int as n, (sum(f.n) filter (where not ${hasAnswered(sql`v`)}))::int as silent
            from flight f join webhook v on v.id = f.webhook_id group by 1
          ) o on o.organization_id = w.organization_id
        where w.status = 'active' and ${hasDue} and ${notMoving(raw('w.organization_id'))}
      ), heads as (
        select d.id as due_id, d.due_at, w.*, row_number() over (partition by w.id order by d.due_at, d.seq) as nth,
          count(*) over (partition by w.id) as number
        from waiting w cross join lateral (
          (${claimable} order by d.due_at, d.seq limit case when w.answering then w.room * w.longest else 0 end)
          union all
          (${claimable} order by d.step > 0, d.due_at, d.seq limit case when w.answering then 0 else w.room end)
        ) d
      ), alike as (
        select *, row_number() over (partition by organization_id, answered order by own + nth, due_at, due_id) as nth_alike
        from heads where nth <= room
      ), by_webhook as (
        select *, row_number() over (partition by organization_id order by own + nth, due_at, due_id) as turn from alike
        where answered or silent + nth_alike <= ${inFlight.silentOfOrganization}::int
      ), by_organization as (
        select *, row_number() over (partition by healthy order by others + turn, due_at, due_id) as place
        from by_webhook where others + turn <= ${inFlight.organization}::int
      ), picked as materialized (
        select id, nth, gen_random_uuid() as claim from by_organization where healthy or place <= ${freeForFailing}::int
        order by others + turn, due_at, due_id limit ${free}
      ), addressed as materialized (
        select w.id, w.url, w.healthy, ${sealedSecrets(sql`w.id`)} as secrets from webhook w where w.id in (select id from picked)
      )
      update webhook_due d set claim = picked.claim, claimed_until = now() + make_interval(secs => ${lease}),
        run_until = case when ${isLast} then now() + make_interval(secs => ${lease}) end
      from picked join heads on heads.id = picked.id and 1 + (heads.nth - 1) % heads.room = picked.nth
        join addressed w on w.id = picked.id
      where d.id = heads.due_id
      returning d.id, d.claim, d.webhook_id, d.organization_id, d.seq::text as seq, d.change, d.attempts, w.healthy,
        case when ${isLast} then w.url end as url, case when ${isLast} then w.secrets end as secrets`);
  });
  return [...Map.groupBy(claimed, ({ claim }) => claim).values()].flatMap((changes) => runOf(changes) ?? []);
}

function runOf(changes: ClaimedRow[]): ClaimedRun | undefined {
  const last = changes.find(({ url }) => url !== null);
  if (!last || last.url === null) return undefined;
  const { webhook_id, organization_id, url, secrets, healthy } = last;
  // while the last one is not done with, the delivery is in flight
  const inOrder = [...changes.filter((each) => each !== last), last];
  return { webhook_id, organization_id, url, secrets, healthy, changes: inOrder };
}

/** Gives claimed changes up without a try, so that they are claimed again at once. */
export async function releaseClaims(db: Database, changes: readonly ClaimedChange[]): Promise<void> {
  await db.transaction(async (unit) => {
    await unit.run(lookUpOnly);
    await unit.run(sql`update webhook_due d set claim = null, claimed_until = null, run_until = null
        from unnest(${changes.map(({ id }) => id)}::uuid[], ${changes.map(({ claim }) => claim)}::uuid[]) as given (id, claim)
        where d.id = given.id and d.claim = given.claim`);
  });
}

interface QueuedChange {
  seq: string;
  change: ChangeRow;
  /** How many tries were recorded; none unless it is sent again. */
  attempts?: number;
  firstTriedAt?: string | null;
}

/**
 * Queues changes that a webhook has read, unless they wait already, and holds back what is not the first of its object. Call it
 * under the webhook's lock.
 */
export async function queueChanges(
  db: UnitOfWork,
  webhook: { id: string; organization_id: string },
  changes: readonly QueuedChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await db.run(lookUpOnly);
  const sameObject = sql`w.webhook_id = ${webhook.id}::uuid and w.kind = n.kind and w.object_id = n.object_id`;
  await db.run(sql`with given as (
      select (n.change->>'id')::uuid as change_id, n.seq, n.change->>'kind' as kind,
        coalesce(n.change->>'object_id', n.change->>'id')::uuid as object_id, n.change, n.attempts, n.first_tried_at
      from unnest(${changes.map(({ seq }) => seq)}::bigint[],
        ${changes.map(({ change }) => JSON.stringify(change))}::jsonb[], ${changes.map(({ attempts = 0 }) => attempts)}::int[],
        ${changes.map(({ firstTriedAt = null }) => firstTriedAt)}::timestamptz[]) as n (seq, change, attempts, first_tried_at)
    ), new as materialized (
      select *, row_number() over (partition by kind, object_id order by seq) > 1 as later from given n
      where not exists (select from webhook_due w where w.webhook_id = ${webhook.id}::uuid and w.change_id = n.change_id)
    ), overtaken as (
      update webhook_due w set held = true from new n where ${sameObject} and w.seq > n.seq and not w.held
    )
    insert into webhook_due
      (id, webhook_id, organization_id, change_id, seq, kind, object_id, change, attempts, step, first_tried_at, due_at, held)
    select uuidv7(), ${webhook.id}::uuid, ${webhook.organization_id}::uuid, n.change_id, n.seq, n.kind, n.object_id, n.change, n.attempts,
      n.attempts, n.first_tried_at, date_trunc('milliseconds', now()),
      n.later or exists (select from webhook_due w where ${sameObject} and w.seq <= n.seq)
    from new n`);
}

/**
 * Lets the first waiting change of each object be sent, and holds its later ones back. Call it under the locks of the
 * webhooks, after what was queued, delivered or given up.
 */
export async function holdBack(
  db: UnitOfWork,
  changes: readonly { webhookId: string; change: ChangeRow }[],
): Promise<void> {
  const webhooks = changes.map(({ webhookId }) => webhookId);
  const kinds = changes.map(({ change }) => change.kind);
  const objects = changes.map(({ change }) => change.object_id ?? change.id);
  await db.run(sql`update webhook_due d set held = not d.held
    from (
      select w.id, w.seq > min(w.seq) over (partition by w.webhook_id, w.kind, w.object_id) as later
      from webhook_due w
        join (select distinct * from unnest(${webhooks}::uuid[], ${kinds}::text[], ${objects}::uuid[]) as n (webhook_id, kind, object_id)) n
        on w.webhook_id = n.webhook_id and w.kind = n.kind and w.object_id = n.object_id
    ) found
    where d.id = found.id and d.held <> found.later`);
}

/** Makes waiting changes due now, with their whole schedule ahead of them. */
export async function hurryDue(db: Database, condition: Sql): Promise<void> {
  await db.run(sql`update webhook_due set step = 0, first_tried_at = null,
      due_at = least(due_at, date_trunc('milliseconds', now())) where ${condition}`);
}

/** Forgets what waits of kinds that a webhook is no longer about. */
export async function dropKinds(db: Database, webhookId: string, kinds: readonly string[]): Promise<void> {
  await db.run(sql`delete from webhook_due where webhook_id = ${webhookId}::uuid and kind <> all(${kinds})`);
}
