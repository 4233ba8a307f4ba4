import { createProgress } from '../packages/command-line/src/index.ts';
import type { Calm } from './calm.ts';
import { chart } from './chart.ts';
import { openBenchDatabase } from './database.ts';
import { inspect } from './inspect.ts';
import { type Peer, peers, questions } from './questions.ts';
import { beside, figure, origin, type Row, save, summarize, table } from './report.ts';
import { measureRounds } from './rounds.ts';
import type { Settings } from './settings.ts';

/** Sends the same requests to all peers in turn, at one database size; returns the report. */
export async function compare(settings: Settings): Promise<string> {
  const progress = createProgress();
  const data = await openBenchDatabase(settings.counts, process.env.DATABASE_URL ?? null);
  try {
    const pairs = await inspect(data, settings, questions, progress);
    const { measured, calm } = await measureRounds(data, settings, pairs, progress);
    const rows = summarize(new Set(pairs.map(({ question }) => question)), measured);
    const text = report(rows, calm, settings);
    await save(settings.out, { 'results.md': text, 'results.svg': chart(rows) });
    return text;
  } finally {
    await data.close();
  }
}

/** Throughput of one peer relative to another, if the other was measured. */
function ratio(rows: Row[], row: Row, other: Peer) {
  const base = rows.find(({ question, peer }) => question === row.question && peer === other);
  return base && beside(row, base);
}

function report(rows: Row[], calm: Calm, { command, rounds, connections, counts }: Settings): string {
  const number = (value: number) => value.toLocaleString('en');
  return `# Comparison with other servers

${number(counts.events)} events, ${number(counts.subscriptions)} subscriptions; ${connections} connections; rounds: ${rounds}, in each of which the peers take turns; medians.
Ratios compare two peers within one round: the median over the rounds, with minimum and maximum in brackets.
Ratios within one run and CPU per request are meaningful; absolute times depend on the machine. The load generator and PostgreSQL use
the same cores as the peers: their share is part of every response time, and limits the ratios.

${calm.summary()}

${origin(command)}
## Throughput of the gateway relative to the others

${ratios(rows)}
![Throughput of every peer](results.svg)

## CPU of the gateway relative to the floor

The floor of a question is the minimum CPU of any peer's server plus the minimum CPU of PostgreSQL for any peer. No peer reaches it, since a
server saves the CPU of the work that it leaves to PostgreSQL. In µs per request.

${floors(rows)}

## All figures

CPU in µs per request, times in ms, memory in MB.

${details(rows)}`;
}

function ratios(rows: Row[]): string {
  const others = peers.filter((peer) => peer !== 'gateway' && rows.some((row) => row.peer === peer));
  const gateway = rows.filter(({ peer }) => peer === 'gateway');
  const times = (row: Row, other: Peer) => {
    const found = ratio(rows, row, other);
    return found ? `${figure(found.median, 2)} × (${figure(found.least, 2)}–${figure(found.most, 2)})` : '';
  };
  return table(
    ['question', ...others.map((other) => `vs. ${other}`)],
    gateway.map((row) => [titleOf(row), ...others.map((other) => times(row, other))]),
  );
}

function floors(rows: Row[]): string {
  const lines = [...Map.groupBy(rows, ({ question }) => question).values()].flatMap((group) => {
    const gateway = group.find(({ peer }) => peer === 'gateway');
    if (!gateway) return [];
    const server = Math.min(...group.map(({ serverCpu }) => serverCpu));
    const database = Math.min(...group.map(({ databaseCpu }) => databaseCpu));
    const sum = gateway.serverCpu + gateway.databaseCpu;
    const cells = [server, database, server + database, gateway.serverCpu, gateway.databaseCpu, sum];
    return [[titleOf(gateway), ...cells.map((each) => figure(each)), `${figure(sum / (server + database), 2)} ×`]];
  });
  const head = ['least server', 'least PostgreSQL', 'floor', 'gateway server', 'gateway PostgreSQL', 'gateway'];
  return table(['question', ...head, 'vs. the floor'], lines);
}

function details(rows: Row[]): string {
  return table(
    [
      'question',
      'peer',
      'throughput, limit = 1.00',
      'statements',
      'server CPU',
      'PostgreSQL CPU',
      'load generator CPU',
      'p50',
      'p99',
      'RSS',
    ],
    rows.map((row) => [
      titleOf(row),
      row.peer,
      figure(ratio(rows, row, 'limit')?.median, 2),
      figure(row.statements),
      figure(row.serverCpu),
      figure(row.databaseCpu),
      figure(row.loadCpu),
      figure(row.p50, 1),
      figure(row.p99, 1),
      figure(row.memory),
    ]),
  );
}

function titleOf({ question: { name, title, detail } }: Row): string {
  return `${name} ${title}${detail ? ` (${detail})` : ''}`;
}
