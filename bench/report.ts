import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { type Peer, peers, type Question } from './questions.ts';
import type { Measured } from './rounds.ts';

type Figure = Exclude<keyof Measured, 'question' | 'peer'>;

/** Medians over the rounds of one question and one peer. */
export interface Row extends Record<Figure, number> {
  question: Question;
  peer: Peer;
  /** Throughput round by round. */
  throughputs: number[];
  serverCpus: number[];
  databaseCpus: number[];
}

/** A row for each peer that was measured. */
export function summarize(questions: Iterable<Question>, measured: Measured[], asked: readonly Peer[] = peers): Row[] {
  return [...questions].flatMap((question) =>
    asked.flatMap((peer) => {
      const rounds = measured.filter((each) => each.question === question.name && each.peer === peer);
      if (rounds.length === 0) return [];
      const of = (figure: Figure) => rounds.map((each) => each[figure]);
      const series = { throughputs: of('throughput'), serverCpus: of('serverCpu'), databaseCpus: of('databaseCpu') };
      return [{ question, peer, ...medians(rounds), ...series }];
    }),
  );
}

function medians(rounds: Measured[]): Record<Figure, number> {
  const pick = (figure: Figure) => median(rounds.map((each) => each[figure]));
  return {
    throughput: pick('throughput'),
    statements: pick('statements'),
    serverCpu: pick('serverCpu'),
    databaseCpu: pick('databaseCpu'),
    loadCpu: pick('loadCpu'),
    p50: pick('p50'),
    p99: pick('p99'),
    memory: Math.max(...rounds.map((each) => each.memory)),
  };
}

/**
 * Throughput of one peer relative to another: median, minimum and maximum over the rounds. In each round both were measured
 * one after the other, so a machine that slows down between rounds does not distort the ratio.
 */
export function beside(row: Row, other: Row): { median: number; least: number; most: number } {
  const ratios = row.throughputs.map((throughput, round) => throughput / (other.throughputs[round] ?? Number.NaN));
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** A figure in a table; empty if it is unknown. */
export function figure(value: number | undefined, digits = 0): string {
  return value === undefined || !Number.isFinite(value) ? '' : value.toFixed(digits);
}

export function table(head: string[], lines: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + lines.map(line).join('');
}

/** A line for each question: the median, minimum and maximum of its ratios. */
export function ratioTable(
  asked: readonly { name: string; title: string }[],
  ratios: (name: string) => number[],
  other = 'limit',
): string {
  return table(
    ['question', `vs. ${other}`, 'min–max'],
    asked.map(({ name, title }) => {
      const all = ratios(name);
      return [
        `${name} ${title}`,
        `${figure(median(all), 2)} ×`,
        `${figure(Math.min(...all), 2)}–${figure(Math.max(...all), 2)}`,
      ];
    }),
  );
}

/** Where and how it was measured. */
export function origin(command: string): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.version}`;
  return `Machine: ${machine}.\n\nCommand: \`${command}\`.\n`;
}

export async function save(out: string, files: Record<string, string>): Promise<void> {
  const folder = path.resolve(out);
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
}
