import type { Cursors } from './cursors.ts';
import type { BenchData } from './database.ts';
import { type Question, questions, rest } from './questions.ts';

const kept = ['Q1', 'Q2', 'Q3', 'Q5', 'A-Q6', 'A-H6'];

/** Requests whose cost may grow with the data: pages, which should not, and those that need an index or a cap to stay cheap. */
export function scaleQuestions(data: BenchData, cursors: Cursors): Question[] {
  return [
    ...questions(data, cursors).filter(({ name }) => kept.includes(name)),
    {
      name: 'S1',
      title: 'name filter of two letters that no name contains',
      asks: {
        limit: rest('/s1'),
        gateway: rest('/events', { where: JSON.stringify({ name: data.rare }), limit: '20' }),
      },
    },
    {
      name: 'S2',
      title: 'count, capped at 1,000',
      asks: { limit: rest('/s2'), gateway: rest('/events/count', { max: '1000' }) },
    },
    {
      name: 'S3',
      title: 'exact count',
      asks: { limit: rest('/s3'), gateway: rest('/events/count') },
    },
  ];
}
