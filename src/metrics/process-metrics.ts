import type { Registry } from 'prom-client';
import type { OrmConnections } from '../db/orm.ts';
import { signals } from '../kernel/usage.ts';
import { version } from '../kernel/version.ts';
import { metricsOf } from './metrics-of.ts';

export interface ProcessState {
  connections: OrmConnections;
  /** How many requests wait for their turn at a pool, and how many have it. */
  turns(): { waiting: number; running: number };
  /** Open streams of changes, and requests that wait for changes. */
  waiters(): { streams: number; waiting: number };
  /** Why /readyz is 503, and whether the database responds. */
  readiness(): Promise<{ obstacles: readonly string[]; isReachable: boolean }>;
}

/** Gauges of what the process has open, and counters of its signals. Returns a function that ends them. */
export function watchProcess(registry: Registry, state: ProcessState): () => void {
  const { watch } = metricsOf(registry);
  const { primary, snapshots, replicas } = state.connections;
  const pools = { primary, exports: snapshots };
  watch('events_gateway_build_info', 'Always 1; its label is the version of the service.', ['version'], (gauge) =>
    gauge.set({ version }, 1),
  );
  watch(
    'events_gateway_database_connections',
    'Connections of the pools, by state; "wanted" are callers without one.',
    ['pool', 'state'],
    (gauge) => {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        gauge.set({ pool, state: 'busy' }, totalCount - idleCount);
        gauge.set({ pool, state: 'idle' }, idleCount);
        gauge.set({ pool, state: 'wanted' }, waitingCount);
      }
    },
  );
  watch(
    'events_gateway_turns',
    'Statements and transactions of requests that have a connection of the primary, or wait for their turn.',
    ['state'],
    (gauge) => {
      const { waiting, running } = state.turns();
      gauge.set({ state: 'waiting' }, waiting);
      gauge.set({ state: 'running' }, running);
    },
  );
  watch(
    'events_gateway_streams',
    'Open streams of changes, and long polls that wait for changes.',
    ['kind'],
    (gauge) => {
      const { streams, waiting } = state.waiters();
      gauge.set({ kind: 'stream' }, streams);
      gauge.set({ kind: 'waiting' }, waiting);
    },
  );
  watch('events_gateway_obstacle', 'Whether /readyz is 503 for this reason.', ['obstacle'], async (gauge) => {
    const { obstacles } = await state.readiness();
    for (const obstacle of ['draining', 'migrations', 'event_loop']) {
      gauge.set({ obstacle }, Number(obstacles.includes(obstacle)));
    }
  });
  watch('events_gateway_database_reachable', 'Whether the primary database responds within 2 s.', [], async (gauge) =>
    gauge.set(Number((await state.readiness()).isReachable)),
  );
  watch(
    'events_gateway_replica_lag_seconds',
    'How far a read replica is behind; absent if it does not respond.',
    ['replica'],
    (gauge) => {
      gauge.reset();
      for (const { name, state, lag } of replicas?.all ?? []) if (state !== 'lost') gauge.set({ replica: name }, lag);
    },
  );
  watch(
    'events_gateway_replicas',
    'Read replicas by whether they respond, and are not too far behind.',
    ['state'],
    (gauge) => {
      const states = replicas?.all.map(({ state }) => state) ?? [];
      for (const [state, given] of Object.entries({ responding: 'used', behind: 'behind', lost: 'lost' })) {
        gauge.set({ state }, states.filter((each) => each === given).length);
      }
    },
  );
  return countSignals(registry);
}

function countSignals(registry: Registry): () => void {
  const { counter } = metricsOf(registry);
  const limits = counter('events_gateway_limits_hit_total', 'Refusals by a limit, by its rule.', 'rule');
  const replays = counter(
    'events_gateway_sessions_replayed_total',
    'Sessions that ended because an old refresh token was used again.',
  );
  const mails = counter('events_gateway_mails_total', 'Attempts to send a mail.', 'outcome');
  const webhooks = counter(
    'events_gateway_webhook_tries_total',
    'Attempts to deliver a change to a webhook.',
    'outcome',
  );
  const unrecorded = counter(
    'events_gateway_webhook_records_failed_total',
    'Failures to store the results of deliveries, which are then sent again.',
  );
  const listeners = {
    limitHit: (rule: string) => limits.inc({ rule }),
    sessionReplayed: () => replays.inc(),
    mailTried: (outcome: string) => mails.inc({ outcome }),
    webhookTried: (outcome: string) => webhooks.inc({ outcome }),
    webhookUnrecorded: () => unrecorded.inc(),
  };
  const names = Object.keys(listeners) as (keyof typeof listeners)[];
  for (const name of names) signals.on(name, listeners[name]);
  return () => {
    for (const name of names) signals.off(name, listeners[name]);
  };
}
