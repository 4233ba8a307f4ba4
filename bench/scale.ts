import { createProgress } from '../packages/command-line/src/index.ts';
import type { Calm } from './calm.ts';
import { openBenchDatabase } from './database.ts';
import { inspect } from './inspect.ts';
import type { Peer } from './questions.ts';
import { figure, origin, type Row, save, summarize, table } from './report.ts';
import { measureRounds } from './rounds.ts';
import { scaleQuestions } from './scale-questions.ts';
import { countsOf, type Settings } from './settings.ts';

interface Size {
  events: number;
  calm: Calm;
  rows: Row[];
}

/** Sends the same requests to the gateway and the limit at several database sizes, one after the other; returns the report. */
export async function scale(given: Settings): Promise<string> {
  const settings: Settings = { ...given, peers: ['limit', 'gateway'] };
  const sizes: Size[] = [];
  for (const events of settings.scale) sizes.push(await measureSize(events, settings));
  const text = report(sizes, settings);
  await save(settings.out, { 'scale.md': text });
  return text;
}

async function measureSize(events: number, settings: Settings): Promise<Size> {
  const progress = createProgress();
  const data = await openBenchDatabase(countsOf(events), null);
  try {
    const pairs = await inspect(data, settings, scaleQuestions, progress);
    const { measured, calm } = await measureRounds(data, settings, pairs, progress);
    return { events, calm, rows: summarize(new Set(pairs.map(({ question }) => question)), measured) };
  } finally {
    await data.close();
  }
}

const number = (value: number) => value.toLocaleString('en');
const find = ({ rows }: Size, name: string, peer: Peer) =>
  rows.find((row) => row.question.name === name && row.peer === peer);
/** The CPU time of one response, of the server and PostgreSQL together. */
const cost = (row: Row | undefined) => (row ? row.serverCpu + row.databaseCpu : Number.NaN);

function report(sizes: Size[], { command, rounds, connections }: Settings): string {
  return `# The same questions at several sizes

${connections} connections; rounds: ${rounds}; medians. At each size there are five subscriptions per event, and one organization has half of all events.
Compare the CPU per request, of the server and of PostgreSQL; *× limit* is their sum relative to that of a server at the physical limit.

${origin(command)}
${growth(sizes)}
${details(sizes)}`;
}

function growth(sizes: Size[]): string {
  const [first, last] = [sizes[0] as Size, sizes.at(-1) as Size];
  const factor = (name: string, peer: Peer) => figure(cost(find(last, name, peer)) / cost(find(first, name, peer)), 2);
  const questions = last.rows.filter(({ peer }) => peer === 'gateway').map(({ question }) => question);
  return table(
    [
      'question',
      ...sizes.flatMap(({ events }) =>
        ['p50, ms', 'server CPU, µs', 'PostgreSQL CPU, µs', '× limit'].map((each) => `${number(events)}: ${each}`),
      ),
      `CPU from ${number(first.events)} to ${number(last.events)}`,
      'that of the limit',
    ],
    questions.map(({ name, title }) => [
      `${name} ${title}`,
      ...sizes.flatMap((size) => {
        const row = find(size, name, 'gateway');
        const beside = cost(row) / cost(find(size, name, 'limit'));
        return [figure(row?.p50, 1), figure(row?.serverCpu), figure(row?.databaseCpu), figure(beside, 2)];
      }),
      `${factor(name, 'gateway')} ×`,
      `${factor(name, 'limit')} ×`,
    ]),
  );
}

/** The details of questions that differ by size, and how much the machine was disturbed. */
function details(sizes: Size[]): string {
  return sizes
    .map(({ events, calm, rows }) => {
      const said = rows.flatMap(({ peer, question: { name, detail } }) =>
        peer === 'gateway' && detail ? [`${name}: ${detail}`] : [],
      );
      return `- ${number(events)} events: ${[...said, calm.summary()].join('. ')}\n`;
    })
    .join('');
}
