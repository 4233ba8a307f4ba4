import { startEmbedded } from '../../src/db/embedded.ts';

// A process that uses the embedded database until it is told to stop, or killed: node start-embedded.ts DATA_DIR
const [dataDir = ''] = process.argv.slice(2);
const server = await startEmbedded({ dataDir });
process.stdout.write(`${server.url}\n`);
process.stdin.once('end', () => server.stop()).resume();
