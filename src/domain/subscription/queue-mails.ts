import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { built, prepared, type Statement } from '#postgres-access';
import { dueNow } from '../../engine/jobs/job.table.ts';
import type { Transaction } from '../../engine/transaction.ts';
import type { EventTold } from '../event/event-notice.ts';
import type { Mail } from '../mail/mail.ts';
import { tables } from '../tables/tables.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';

/** What the holder knew before a change, by topic, so that a digest reports only what is new. */
export interface Told extends EventTold {
  status?: SubscriptionStatus | null;
}

interface AboutSubscription {
  subscriptionId: string;
  told: Told;
}

/** Queues mails of one kind, as `queueMail` does. */
export async function queueMails<Data extends AboutSubscription>(
  tx: Transaction,
  mail: Mail<Data>,
  data: readonly Data[],
): Promise<void> {
  tx.afterCommit(() => tx.services.jobs.nudge('event_mails'));
  const caused = data.map((each) => ({ ...each, ...tx.usage.cause }));
  await tx.db.run(mailJobs(mail, caused, { bounded: tx.services.limits.enabled }));
}

/**
 * Queues mails without a unit of work; the subscriptions must have been written before.
 * @param options whether mails beyond a recipient's budget become a digest
 */
export function mailJobs<Data extends AboutSubscription>(
  { kind }: Mail<Data>,
  data: readonly Data[],
  options: { bounded: boolean },
): Statement<never> {
  const [first] = data;
  if (first && data.length === 1) {
    const about = first.subscriptionId;
    return queueOne({ id: randomUUIDv7(), kind, about, data: JSON.stringify(first), ...options });
  }
  const given = sql`select n, job.id, ${kind}::text as kind, data, about, e.organization_id, s.user_id as recipient
    from unnest(${data.map(() => randomUUIDv7())}::uuid[], ${data.map(({ subscriptionId }) => subscriptionId)}::uuid[],
      ${data.map((each) => JSON.stringify(each))}::jsonb[]) with ordinality as job (id, about, data, n)
    join subscription s on s.id = about join event e on e.id = s.event_id`;
  return built(mailJobsSql(given, options));
}

/** Replaces the mails beyond the budget. */
export const digestKind = 'subscription_digest';

/** Mails of one organization that may wait for one recipient; further ones become a digest. */
const waitingMails = 6;
const digestTopics = 200;

interface MailJobOptions {
  bounded: boolean;
  /** Whether all mails become part of a digest. */
  gathered?: boolean;
  /** Among the mails to a recipient; at the end if absent. */
  position?: string;
}

/** Whether the recipient knew what is added to a digest before what is there, or later. */
type Known = 'first' | 'later';

/** If a digest waits already; the first known value of a topic stays. */
function intoDigest(added: Known): RawBuilder<unknown> {
  const [former, given] = [sql`(job.data->'told')`, sql`(excluded.data->'told')`];
  const told = added === 'first' ? sql`${former} || ${given}` : sql`${given} || ${former}`;
  return sql`on conflict (party, key) where kind = 'subscription_digest' and attempts = 0 do update
    set position = least(job.position, excluded.position),
      data = case when (select count(*) from jsonb_object_keys(job.data->'told')) < ${digestTopics}
      then excluded.data || job.data || jsonb_build_object('told', ${told})
      else job.data || '{"more": true}' end`;
}

/** How many mails wait for a recipient, and whether a digest does, from the newest rows; both arguments are columns. */
function waitingFor(organization: string, recipient: string) {
  const newest = tables
    .selectFrom('job')
    .select(['kind', 'attempts'])
    .where(({ and }) => and({ party: sql.ref<string>(organization), key: sql<string>`${sql.ref(recipient)}::text` }))
    .where('due_at', 'is not', null)
    .orderBy('position', 'desc')
    .limit(sql.lit(waitingMails + 4));
  const digest = sql`coalesce(bool_or(kind = 'subscription_digest' and attempts = 0), false)`.as('digest');
  return tables.selectFrom(newest.as('newest')).select([sql`count(*)`.as('mails'), digest]);
}

/** {@link mailJobsSql} for one mail: a write waits for it, so PostgreSQL should reuse its plan. */
const queueOne = prepared(
  // a text: it merges with a waiting digest, or becomes one
  (at: { id: string; kind: string; about: string; data: string; bounded: boolean }) => sql<never>`insert into job
      (id, lane, kind, data, organization_id, party, key, due_at, created_at)
    select ${at.id}::uuid, 'event_mails', case when late then 'subscription_digest' else ${at.kind} end,
      case when late then jsonb_build_object('told', (
        select jsonb_object_agg(s.id || ':' || topic.key, topic.value)
        from jsonb_each(coalesce(${at.data}::jsonb->'told', '{"status": null}')) topic
      )) else ${at.data}::jsonb end, e.organization_id, e.organization_id, s.user_id::text, ${dueNow}, now()
    from subscription s join event e on e.id = s.event_id cross join lateral (
      select ${at.bounded} and (digest or mails >= ${sql.lit(waitingMails)}) as late from ${waitingFor('e.organization_id', 's.user_id')} waiting
    ) place where s.id = ${at.about}::uuid
    ${intoDigest('later')}`,
);

/**
 * If a digest or {@link waitingMails} mails already wait for a recipient, new mails become part of a digest, so that the
 * number of rows per recipient stays bounded.
 * @param given rows of `n, id, kind, data, about, organization_id, recipient`, in the order of `n`
 */
export function mailJobsSql(
  given: RawBuilder<unknown>,
  { bounded, gathered = false, position }: MailJobOptions,
): RawBuilder<never> {
  return sql`with given as (${given}), placed as (
      select given.*, ${bounded} and (${gathered} or waiting.digest or waiting.mails + own > ${waitingMails}) as late
      from (select *, row_number() over (partition by recipient order by n) as own from given) given
      cross join lateral ${waitingFor('given.organization_id', 'given.recipient')} waiting
    ), single as (
      insert into job (id, lane, kind, data, organization_id, party, key, position, due_at, created_at)
      select id, 'event_mails', kind, data, organization_id, organization_id, recipient::text, ${placeOf(position)}, ${dueNow}, now()
      from placed where not late returning 1
    )
    ${digestSql(
      sql`select organization_id, recipient, own, about || ':' || topic.key as key, topic.value, ${dueNow} as due_at
      from placed cross join lateral jsonb_each(coalesce(data->'told', '{"status": null}')) topic
        -- after the single mails, so that a position which is drawn is after theirs
        cross join (select count(*) from single) placed_before where late`,
      { position },
    )}`;
}

interface DigestOptions {
  /** Of the first change that the topics are about; at the end if absent. */
  position?: string | undefined;
  /** As compared with a digest that waits already. */
  known?: Known;
}

/**
 * Adds topics to digests, one per recipient. A digest has the position of its first change, before the mails about later
 * ones, whenever those are queued.
 * @param topics rows of `organization_id, recipient, own, key, value, due_at`, in the order of `own`
 */
export function digestSql(
  topics: RawBuilder<unknown>,
  { position, known = 'later' }: DigestOptions = {},
): RawBuilder<never> {
  return sql`insert into job (id, lane, kind, data, organization_id, party, key, due_at, created_at, position)
    select gen_random_uuid(), 'event_mails', 'subscription_digest', jsonb_build_object(
      'told', jsonb_object_agg(key, value order by own desc) filter (where own <= ${digestTopics}),
      'more', bool_or(own > ${digestTopics})), organization_id, organization_id, recipient::text, max(due_at), now(), ${placeOf(position)}
    from (${topics}) topics group by organization_id, recipient order by recipient
    ${intoDigest(known)}`;
}

function placeOf(position: string | undefined): RawBuilder<unknown> {
  return position === undefined ? sql`nextval('job_position_seq')` : sql`${position}::bigint`;
}
