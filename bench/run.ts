import { compare } from './compare.ts';
import { scale } from './scale.ts';
import { readSettings } from './settings.ts';

const settings = readSettings(process.argv.slice(2));
console.log(await (settings.scale.length > 0 ? scale(settings) : compare(settings)));
// connections of the load generator that linger must not hold the process
process.exit(0);
