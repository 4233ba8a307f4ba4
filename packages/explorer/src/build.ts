import path from 'node:path';
import { makeBundle } from './make-bundle.ts';

// node build.ts FOLDER CONTENT: bundles the pages with the content of a service
const [folder, content] = process.argv.slice(-2) as [string, string];
await makeBundle({ folder: path.resolve(folder), content: path.resolve(content) });
