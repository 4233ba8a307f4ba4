import { createProgress } from '../packages/command-line/src/index.ts';
import type { Calm } from './calm.ts';
import { openBenchDatabase } from './database.ts';
import { devicesFor } from './devices.ts';
import { inspect } from './inspect.ts';
import { type Peer, questions, type Without } from './questions.ts';
import { figure, median, origin, type Row, save, summarize, table } from './report.ts';
import { measureRounds } from './rounds.ts';
import type { Settings } from './settings.ts';

/** The default requests, unless `--only` selects others: REST lists, and documents of Apollo Client and Relay. */
const asked = ['Q1', 'Q3', 'A-G1', 'A-G3', 'A-Q6', 'R-G1', 'R-G3', 'R-Q6'];

/** Sends the same requests to the service and to copies of it that each lack one optimization; returns the report. */
export async function ablate(given: Settings): Promise<string> {
  const names = given.without.includes('each') ? devicesFor('reads') : given.without;
  const copies = names.map((name): Without => `without ${name}`);
  const settings: Settings = {
    ...given,
    peers: ['gateway', ...copies],
    only: given.only.length > 0 ? given.only : asked,
  };
  const progress = createProgress();
  const data = await openBenchDatabase(settings.counts, process.env.DATABASE_URL ?? null);
  try {
    const pairs = await inspect(data, settings, questions, progress);
    const { measured, calm } = await measureRounds(data, settings, pairs, progress);
    const rows = summarize(new Set(pairs.map(({ question }) => question)), measured, settings.peers);
    const text = report(rows, copies, calm, settings);
    await save(settings.out, { 'ablation.md': text });
    return text;
  } finally {
    await data.close();
  }
}

function report(rows: Row[], copies: Without[], calm: Calm, settings: Settings): string {
  const { command, rounds, connections, counts } = settings;
  const names = [...new Set(rows.map(({ question }) => question.name))];
  const find = (name: string, peer: Peer) => rows.find((row) => row.question.name === name && row.peer === peer);
  const cells = (peer: Peer, cell: (row: Row, whole: Row) => string) =>
    names.map((name) => {
      const [row, whole] = [find(name, peer), find(name, 'gateway')];
      return row && whole ? cell(row, whole) : '';
    });
  const times = (pick: (row: Row) => readonly number[]) => (row: Row, whole: Row) =>
    `${figure(median(pick(row).map((value, round) => value / (pick(whole)[round] ?? Number.NaN))), 2)} ×`;
  const ratios = (pick: (row: Row) => readonly number[]) =>
    table(
      ['', ...names],
      copies.map((copy) => [copy, ...cells(copy, times(pick))]),
    );
  return `# What each optimization saves

${counts.events.toLocaleString('en')} events; ${connections} connections; rounds: ${rounds}, in each of which the whole service and copies of it take turns, each copy
without one optimization (\`bench/devices.ts\` lists them). CPU of a copy relative to that of the whole service in the
same round, medians: 1.10 means a tenth more. Differences below a tenth are noise.

${calm.summary()}

${origin(command)}
## CPU of the server

${ratios(({ serverCpus }) => serverCpus)}
## CPU of PostgreSQL

${ratios(({ databaseCpus }) => databaseCpus)}
## CPU of both

${ratios(({ serverCpus, databaseCpus }) => serverCpus.map((each, round) => each + (databaseCpus[round] ?? Number.NaN)))}
## The whole service

µs a request.

${table(
  ['', ...names],
  [
    ['server', ...cells('gateway', (row) => figure(row.serverCpu))],
    ['PostgreSQL', ...cells('gateway', (row) => figure(row.databaseCpu))],
  ],
)}`;
}
