import { Counter, Gauge, type Registry } from 'prom-client';
import type { Connections } from '../db/access/pool.ts';
import { signals } from '../kernel/usage.ts';

export interface ProcessState {
  connections: Connections;
  /** How many requests wait for their turn at a pool, and have it. */
  turns(): { waiting: number; running: number };
  /** Open streams of changes, and requests that wait for changes. */
  waiters(): { streams: number; waiting: number };
  /** Whether new clients should come here, and whether the database responds. */
  readiness(): Promise<{ obstacles: readonly string[]; isReachable: boolean }>;
}

/** Gauges of what the process has open, and counters of what happens in it. Returns what ends them. */
export function watchProcess(registry: Registry, state: ProcessState): () => void {
  const registers = [registry];
  const { primary, snapshots, replicas } = state.connections;
  const pools = { primary, exports: snapshots };
  new Gauge({
    name: 'events_gateway_database_connections',
    help: 'Connections of the pools, by state; "wanted" are callers without one.',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'wanted' }, waitingCount);
      }
    },
  });
  new Gauge({
    name: 'events_gateway_turns',
    help: 'Statements and transactions of requests that have a connection of the primary, or wait for their turn.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { waiting, running } = state.turns();
      this.set({ state: 'waiting' }, waiting);
      this.set({ state: 'running' }, running);
    },
  });
  new Gauge({
    name: 'events_gateway_streams',
    help: 'Open streams of changes, and long polls that wait for changes.',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      const { streams, waiting } = state.waiters();
      this.set({ kind: 'stream' }, streams);
      this.set({ kind: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'events_gateway_obstacle',
    help: 'Whether /readyz is 503 for this reason.',
    labelNames: ['obstacle'] as const,
    registers,
    async collect() {
      const { obstacles } = await state.readiness();
      for (const obstacle of ['draining', 'migrations', 'event_loop']) {
        this.set({ obstacle }, Number(obstacles.includes(obstacle)));
      }
    },
  });
  new Gauge({
    name: 'events_gateway_database_reachable',
    help: 'Whether the primary database responds within 2 s.',
    registers,
    async collect() {
      this.set(Number((await state.readiness()).isReachable));
    },
  });
  new Gauge({
    name: 'events_gateway_replica_lag_seconds',
    help: 'How far a read replica is behind; absent if it does not respond.',
    labelNames: ['replica'] as const,
    registers,
    collect() {
      this.reset();
      for (const { name, seconds } of replicas?.lags() ?? []) {
        if (seconds !== null) this.set({ replica: name }, seconds);
      }
    },
  });
  new Gauge({
    name: 'events_gateway_replicas',
    help: 'Read replicas by whether they respond, and are not too far behind.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'responding' }, replicas?.answering ?? 0);
      this.set({ state: 'behind' }, replicas?.countIn('behind') ?? 0);
      this.set({ state: 'lost' }, replicas?.countIn('lost') ?? 0);
    },
  });
  return countSignals(registry);
}

function countSignals(registry: Registry): () => void {
  const registers = [registry];
  const limits = new Counter({
    name: 'events_gateway_limits_hit_total',
    help: 'Refusals by a limit, by its rule.',
    labelNames: ['rule'] as const,
    registers,
  });
  const replays = new Counter({
    name: 'events_gateway_sessions_replayed_total',
    help: 'Sessions that ended because an old refresh token was used again.',
    registers,
  });
  const mails = new Counter({
    name: 'events_gateway_mails_total',
    help: 'Attempts to send a mail.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const webhooks = new Counter({
    name: 'events_gateway_webhook_tries_total',
    help: 'Attempts to deliver a change to a webhook.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const unrecorded = new Counter({
    name: 'events_gateway_webhook_records_failed_total',
    help: 'Failures to store the results of deliveries, which are then sent again.',
    registers,
  });
  const ends = [
    signals.limitHit.listen((rule) => limits.inc({ rule })),
    signals.sessionReplayed.listen(() => replays.inc()),
    signals.mailTried.listen((outcome) => mails.inc({ outcome })),
    signals.webhookTried.listen((outcome) => webhooks.inc({ outcome })),
    signals.webhookUnrecorded.listen(() => unrecorded.inc()),
  ];
  return () => {
    for (const end of ends) end();
  };
}
