// PostGraphile 5 as its guide sets it up: the Amber preset over the same tables.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { jsonPgSmartTags } from 'postgraphile/utils';

const { url } = JSON.parse(process.argv[2]);
// `Subscription` is the name of a root type, so the table is exposed under another
const tags = jsonPgSmartTags({
  version: 1,
  config: { class: { subscription: { tags: { name: 'event_subscription' } } } },
});
const preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [tags],
  pgServices: [makePgService({ connectionString: url, schemas: ['public'] })],
  grafserv: { graphqlPath: '/graphql', watch: false, graphiql: false },
  gather: { pgStrictFunctions: true },
};
const serv = postgraphile(preset).createServ(grafserv);
const server = createServer();
server.on('error', (error) => console.error(error));
await serv.addTo(server);
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
process.on('disconnect', () => process.exit(0));
