import { cpus, totalmem } from 'node:os';
import { type Peer, peers, type Question } from './questions.ts';
import type { Measured } from './run.ts';

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export interface Row {
  question: Question;
  peer: Peer;
  ratio: number;
  statements: number;
  serverCpu: number;
  databaseCpu: number;
  p50: number;
  p99: number;
  memory: number;
}

/** Medians over the rounds; `ratio` is throughput beside the limit of the same run. */
export function summarize(questions: Question[], measured: Measured[]): Row[] {
  const of = (question: Question, peer: Peer) =>
    measured.filter((each) => each.question === question.name && each.peer === peer);
  return questions.flatMap((question) => {
    const limit = median(of(question, 'limit').map((each) => each.throughput));
    return peers
      .filter((peer) => question.asks[peer])
      .map((peer) => {
        const rounds = of(question, peer);
        const pick = (read: (each: Measured) => number) => median(rounds.map(read));
        return {
          question,
          peer,
          ratio: pick((each) => each.throughput) / limit,
          statements: pick((each) => each.statements),
          serverCpu: pick((each) => each.serverCpu),
          databaseCpu: pick((each) => each.databaseCpu),
          p50: pick((each) => each.p50),
          p99: pick((each) => each.p99),
          memory: Math.max(...rounds.map((each) => each.memory)),
        };
      });
  });
}

export function markdown(rows: Row[]): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.version}`;
  const lines = rows.map((row) =>
    [
      `${row.question.name} ${row.question.title}`,
      row.peer,
      row.ratio.toFixed(2),
      row.statements,
      Math.round(row.serverCpu),
      Number.isNaN(row.databaseCpu) ? '' : Math.round(row.databaseCpu),
      row.p50,
      row.p99,
      row.memory,
    ].join(' | '),
  );
  return `Machine: ${machine}.

| question | peer | throughput, limit = 1.00 | statements | server CPU, µs | PostgreSQL CPU, µs | p50, ms | p99, ms | RSS, MB |
|---|---|---|---|---|---|---|---|---|
${lines.map((line) => `| ${line} |`).join('\n')}
`;
}

const colours: Record<Peer, string> = {
  limit: '#9aa0a6',
  gateway: '#1a73e8',
  naive: '#f29900',
  postgraphile: '#9334e6',
};

/** A bar a peer, a group a question. */
export function chart(rows: Row[]): string {
  const height = 22;
  const scale = 420;
  const bars = rows.map((row, index) => {
    const y =
      40 + index * height + [...new Set(rows.slice(0, index + 1).map((each) => each.question.name))].length * 10;
    const label = row.peer === 'limit' ? `${row.question.name}  ${row.peer}` : row.peer;
    return `<text x="150" y="${y + 14}" text-anchor="end">${label}</text>
<rect x="160" y="${y}" width="${Math.max(1, row.ratio * scale).toFixed(1)}" height="${height - 6}" fill="${colours[row.peer]}"/>
<text x="${(166 + Math.max(1, row.ratio * scale)).toFixed(1)}" y="${y + 13}">${row.ratio.toFixed(2)}</text>`;
  });
  const total = 70 + rows.length * height + new Set(rows.map((row) => row.question.name)).size * 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${total}" font-family="sans-serif" font-size="12">
<rect width="760" height="${total}" fill="#fff"/>
<text x="20" y="24" font-size="15">Throughput beside the physical limit (1.00) in the same run</text>
${bars.join('\n')}
</svg>
`;
}
