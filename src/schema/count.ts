import { type Count, greatestCap } from '../domain/list/count.ts';
import { builder } from './builder.ts';

/** How many items a list has, counted no further than was asked. */
export const CountType = builder.objectRef<Count>('Count');

CountType.implement({
  description: 'How many items a list has, counted up to a cap where there is one.',
  fields: (t) => ({
    value: t.exposeInt('value', { description: 'The number; never above the cap.' }),
    exact: t.exposeBoolean('exact', { description: 'Whether there are just so many; otherwise there are more.' }),
  }),
});

/** The argument of every count. */
export const capArgument = builder.args((t) => ({
  max: t.int({
    description: `How far to count, 1 to ${greatestCap}, which bounds what counting costs. Exact where absent.`,
  }),
}));
