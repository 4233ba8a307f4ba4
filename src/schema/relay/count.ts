import { type Count, greatestCap } from '../../engine/list/count.ts';
import { builder } from '../builder/builder.ts';

export const CountType = builder.objectRef<Count>('Count');

CountType.implement({
  description: 'The number of items in a list, counted up to a cap if one is given.',
  fields: (t) => ({
    value: t.exposeInt('value', { description: 'The number of items; never above the cap.' }),
    exact: t.exposeBoolean('exact', { description: 'Whether the number is exact; if not, there are more items.' }),
  }),
});

export const capArgument = builder.args((t) => ({
  max: t.int({
    description: `Stops counting at this number, 1 to ${greatestCap}, which limits the cost. Without it, the number is always exact.`,
  }),
}));
