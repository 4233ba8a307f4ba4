import { parseArgs } from 'node:util';
import type { BenchCounts } from './database.ts';
import { devices } from './devices.ts';
import { type Peer, peers } from './questions.ts';

export interface Settings {
  counts: BenchCounts;
  rounds: number;
  /** Roughly how many seconds one question is measured for one peer in one round. */
  seconds: number;
  connections: number;
  /** Names of questions; empty for all. */
  only: string[];
  peers: readonly Peer[];
  /** A directory for a CPU profile of the gateway; empty for none. */
  profile: string;
  out: string;
  /** Numbers of events; empty to compare peers at one size. */
  scale: number[];
  /** Names of the devices to leave out of copies of the gateway, `each` for all; empty to compare peers. */
  without: string[];
  /** Whether to measure writes instead of reads. */
  writes: boolean;
  /** Whether to measure requests without a token, and an export. */
  public: boolean;
  /** Numbers of entries of the log of changes, ascending, whose pages are measured; empty to measure something else. */
  changes: number[];
  /** Whether to measure streams of changes. */
  live: boolean;
  /** Whether to measure deliveries of webhooks. */
  webhooks: boolean;
  /** Whether the processes of the benchmark go before whatever else runs on the machine (Linux only, as root). */
  first: boolean;
  /** Whether to measure what metrics and traces cost. */
  observed: boolean;
  /** The command for the same run, without the output folders. */
  command: string;
}

const options = {
  events: { type: 'string', default: '1000000' },
  subscriptions: { type: 'string' },
  users: { type: 'string' },
  rounds: { type: 'string', default: '9' },
  seconds: { type: 'string', default: '1' },
  connections: { type: 'string' },
  only: { type: 'string', default: '' },
  peers: { type: 'string', default: '' },
  profile: { type: 'string', default: '' },
  out: { type: 'string', default: 'bench/results' },
  scale: { type: 'string', default: '' },
  without: { type: 'string', default: '' },
  writes: { type: 'boolean', default: false },
  public: { type: 'boolean', default: false },
  changes: { type: 'string', default: '' },
  live: { type: 'boolean', default: false },
  webhooks: { type: 'boolean', default: false },
  first: { type: 'boolean', default: false },
  observed: { type: 'boolean', default: false },
} as const;

/** @throws Error with the name of the invalid option */
export function readSettings(args: string[]): Settings {
  const { values, tokens } = parseArgs({ args, options, tokens: true });
  const scale = list(values.scale).map((each) => whole('scale', each));
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []));
  const said = given.filter(({ name }) => name !== 'out' && name !== 'profile');
  return {
    counts: { ...countsOf(whole('events', values.events)), ...countsGiven(values) },
    rounds: whole('rounds', values.rounds),
    seconds: whole('seconds', values.seconds),
    // few connections if sizes are compared, so that times show the cost of a response and not of waiting in a queue
    connections: whole('connections', values.connections ?? (scale.length > 0 ? '8' : '32')),
    only: list(values.only),
    peers: choosePeers(list(values.peers)),
    profile: values.profile,
    out: values.out,
    scale,
    without: chooseDevices(list(values.without)),
    writes: values.writes,
    public: values.public,
    changes: list(values.changes).map((each) => whole('changes', each)),
    live: values.live,
    webhooks: values.webhooks,
    first: values.first,
    observed: values.observed,
    command: [
      'npm run bench',
      ...(said.length > 0 ? ['--'] : []),
      ...said.map(({ name, value = '' }) =>
        `--${name} ${value.includes(' ') ? JSON.stringify(value) : value}`.trimEnd(),
      ),
    ].join(' '),
  };
}

/** The numbers that follow from the number of events. */
export function countsOf(events: number): BenchCounts {
  return { organizations: 50, users: Math.ceil(events / 5), events, subscriptions: events * 5 };
}

function countsGiven(values: { users?: string; subscriptions?: string }): Partial<BenchCounts> {
  return {
    ...(values.users ? { users: whole('users', values.users) } : {}),
    ...(values.subscriptions ? { subscriptions: whole('subscriptions', values.subscriptions) } : {}),
  };
}

function choosePeers(names: string[]): readonly Peer[] {
  const unknown = names.find((name) => !peers.some((peer) => peer === name));
  if (unknown !== undefined) throw new Error(`--peers: unknown peer ${unknown}; choose from ${peers.join(', ')}`);
  return names.length > 0 ? peers.filter((peer) => names.includes(peer)) : peers;
}

function chooseDevices(names: string[]): string[] {
  const unknown = names.find((name) => name !== 'each' && !(name in devices));
  if (unknown !== undefined)
    throw new Error(`--without: unknown optimization ${unknown}; choose from ${Object.keys(devices).join(', ')}`);
  return names;
}

function list(text: string): string[] {
  return text.split(',').filter((each) => each !== '');
}

function whole(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name}: ${text} is not a positive whole number`);
  return Number(text);
}
