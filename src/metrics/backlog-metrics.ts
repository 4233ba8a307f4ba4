import { sql } from 'kysely';
import type { Registry } from 'prom-client';
import { built } from '#postgres-access';
import type { Database } from '../engine/database.ts';
import type { Log } from '../kernel/request.ts';
import { metricsOf } from './metrics-of.ts';

interface Backlog {
  mails: number;
  mail_seconds: number;
  mails_given_up: number;
  webhook_changes: number;
  webhook_seconds: number;
  webhooks_active: number;
  webhooks_paused: number;
  webhooks_disabled: number;
  writing_seconds: number;
}

/** The most rows that are counted, so that a backlog of millions is cheap to measure. */
const most = 10_000;

const isMail = sql`lane in ('account_mails', 'guest_mails', 'event_mails')`;

const backlogOf = built(sql<Backlog>`select
  (select count(*)::int from (select from job where ${isMail} and due_at <= now() limit ${most}) as due) as mails,
  (select coalesce(extract(epoch from now() - min(due_at)), 0)::float from job where ${isMail} and due_at <= now()) as mail_seconds,
  (select count(*)::int from (select from job where due_at is null limit ${most}) as given_up) as mails_given_up,
  (select count(*)::int from (select from job where lane = 'deliveries' limit ${most}) as due) as webhook_changes,
  (select greatest(extract(epoch from now() - min(since)), 0)::float from (
    (select due_at as since from job where lane = 'deliveries' and due_at <= now() order by due_at limit 1)
    union all
    select to_timestamp((place->>'at')::float8) from webhook where unread and status = 'active'
  ) waiting) as webhook_seconds,
  (select count(*)::int from webhook where status = 'active') as webhooks_active,
  (select count(*)::int from webhook where status = 'paused') as webhooks_paused,
  (select count(*)::int from webhook where status = 'disabled') as webhooks_disabled,
  (select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::float from pg_stat_activity
    where datname = current_database() and backend_xid is not null) as writing_seconds`);

/**
 * Gauges of mails, webhooks and changes that wait in the database, the same for all processes. Absent if the database does not respond.
 *
 * @returns reads them in one statement; await it before each scrape, since the registry reads all metrics at once
 */
export function watchBacklog(registry: Registry, db: Database, log: Log): () => Promise<void> {
  const { gauge } = metricsOf(registry);
  const gauges = {
    mails: gauge('events_gateway_mails_due', `Mails that could be sent now, counted up to ${most}.`),
    mail_seconds: gauge(
      'events_gateway_mail_lag_seconds',
      'How long the mail that has been due longest has been waiting.',
    ),
    mails_given_up: gauge(
      'events_gateway_mails_given_up',
      `Mails that were given up and are still stored, up to ${most}.`,
    ),
    webhook_changes: gauge(
      'events_gateway_webhook_changes',
      `Changes that wait at webhooks, most of them for another attempt, up to ${most}.`,
    ),
    webhook_seconds: gauge(
      'events_gateway_webhook_lag_seconds',
      'How long the active webhook that has waited longest has had changes to send without sending any.',
    ),
    writing_seconds: gauge(
      'events_gateway_feed_lag_seconds',
      'Age of the oldest open transaction that writes: its changes reach the readers of the log when it commits.',
    ),
  };
  const webhooks = gauge('events_gateway_webhooks', 'Webhooks by status.', 'status');
  const known = gauge(
    'events_gateway_backlog_known',
    'Whether the gauges of mails, webhooks and the log of changes could be read.',
  );
  return async () => {
    try {
      const row = await db.row(backlogOf);
      if (row) {
        for (const [column, each] of Object.entries(gauges)) each.set(row[column as keyof typeof gauges]);
        for (const status of ['active', 'paused', 'disabled'] as const)
          webhooks.set({ status }, row[`webhooks_${status}`]);
      }
      known.set(1);
    } catch (error) {
      log.debug({ err: error }, 'cannot read the backlog for the metrics');
      for (const each of [...Object.values(gauges), webhooks]) each.reset();
      known.set(0);
    }
  };
}
