// PostGraphile 5 as its guide sets it up: the Amber preset over the same tables.
import { makePgService } from 'postgraphile/adaptors/pg';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { jsonPgSmartTags } from 'postgraphile/utils';

// `Subscription` is the name of a root type, so the table is exposed under another
const tags = jsonPgSmartTags({
  version: 1,
  config: { class: { subscription: { tags: { name: 'event_subscription' } } } },
});

export const presetFor = (connectionString) => ({
  extends: [PostGraphileAmberPreset],
  plugins: [tags],
  pgServices: [makePgService({ connectionString, schemas: ['public'] })],
  grafserv: { graphqlPath: '/graphql', watch: false, graphiql: false },
  gather: { pgStrictFunctions: true },
});
