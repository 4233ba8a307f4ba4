import type { Peer, peers, Question } from './questions.ts';
import { beside, type Row } from './report.ts';

const colours: Partial<Record<Peer, string>> & Record<(typeof peers)[number], string> = {
  limit: '#9aa0a6',
  gateway: '#1a73e8',
  naive: '#f29900',
  postgraphile: '#9334e6',
  mercurius: '#188038',
};

const height = 22;
const gap = 10;
const width = 520;

interface Bar {
  question: Question;
  peer: Peer;
  ratio: number;
}

/** A chart with a group per question and a bar per peer: throughput relative to the first peer, usually the limit. */
export function chart(rows: Row[]): string {
  const groups = [...Map.groupBy(rows, ({ question }) => question).values()].map((group) => {
    const base = group[0] as Row;
    return group.map((row): Bar => ({ question: row.question, peer: row.peer, ratio: beside(row, base).median }));
  });
  const scale = width / Math.max(1, ...groups.flat().map(({ ratio }) => ratio));
  let y = 40;
  const drawn = groups.map((group) => {
    const top = y + gap;
    y = top + group.length * height;
    return group.map((bar, index) => draw(bar, index === 0, top + index * height, scale)).join('\n');
  });
  const base = rows[0]?.peer === 'limit' ? 'the physical limit' : rows[0]?.peer;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${y + 20}" font-family="sans-serif" font-size="12">
<rect width="760" height="${y + 20}" fill="#fff"/>
<text x="20" y="24" font-size="15">Throughput relative to ${base} (1.00) in the same run</text>
${drawn.join('\n')}
</svg>
`;
}

function draw({ question, peer, ratio }: Bar, isFirst: boolean, y: number, scale: number): string {
  const length = Math.max(1, ratio * scale);
  return `<text x="150" y="${y + 13}" text-anchor="end">${isFirst ? `${question.name}  ` : ''}${peer}</text>
<rect x="160" y="${y}" width="${length.toFixed(1)}" height="${height - 6}" fill="${colours[peer]}"/>
<text x="${(166 + length).toFixed(1)}" y="${y + 13}">${ratio.toFixed(2)}</text>`;
}
