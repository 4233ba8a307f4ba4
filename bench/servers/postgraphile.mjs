import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { grafserv } from 'postgraphile/grafserv/node';
import { presetFor } from './postgraphile-preset.mjs';

const { url } = JSON.parse(process.argv[2]);
const serv = postgraphile(presetFor(url)).createServ(grafserv);
const server = createServer();
server.on('error', (error) => console.error(error));
await serv.addTo(server);
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
process.on('disconnect', () => process.exit(0));
