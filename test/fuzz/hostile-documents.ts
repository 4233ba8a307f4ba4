import fc from 'fast-check';
import { type Names, randomDocument } from '../graphql/random-document.ts';
import { fieldValue, json } from './hostile-parts.ts';
import { oddTexts } from './values.ts';

/** Documents of GraphQL and what comes with them; the names in them are references. */
const names: Names = {
  globalIds: ['event', 'subscription', 'membership'].flatMap((noun) =>
    ['', ':twin', ':third'].map((whose) => `@${noun}:0${whose}`),
  ),
  eventIds: ['@event:0', '@event:1', '@event:2:twin', '@event:3:third'],
  cursors: ['x', 'AAAA', ''],
};
const document = fc.array(fc.nat(10_000), { minLength: 5, maxLength: 200, size: 'max' }).map((numbers) => {
  const { query: text, variables, operationName } = randomDocument(numbers, names);
  return { query: text, variables, operationName };
});
const mutation = fc.record({
  query: fc
    .tuple(
      fc.constantFrom(
        'createEvent',
        'updateEvent',
        'inviteMember',
        'subscribeToEvent',
        'setEventForm',
        'acceptInvitation',
      ),
      json,
    )
    .map(
      ([name, input]) => `mutation { ${name}(input: ${input.replaceAll(/"(\w+)":/g, '$1:')}) { clientMutationId } }`,
    ),
});
export const graphqlBody = fc.oneof(
  { weight: 6, arbitrary: document.map((each) => JSON.stringify(each)) },
  {
    weight: 2,
    arbitrary: fc.tuple(document, fieldValue).map(([each, variables]) => JSON.stringify({ ...each, variables })),
  },
  { weight: 2, arbitrary: mutation.map((each) => JSON.stringify(each)) },
  { weight: 1, arbitrary: fc.array(document, { maxLength: 3 }).map((each) => JSON.stringify(each)) },
  {
    weight: 1,
    arbitrary: fc
      .record(
        { query: oddTexts, extensions: fieldValue, documentId: oddTexts, operationName: fieldValue },
        { requiredKeys: [] },
      )
      .map((each) => JSON.stringify(each)),
  },
);
