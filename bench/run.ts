import { ablate } from './ablation.ts';
import { compare } from './compare.ts';
import { measurePublic } from './public.ts';
import { scale } from './scale.ts';
import { readSettings } from './settings.ts';
import { measureWrites } from './writes.ts';

const settings = readSettings(process.argv.slice(2));
const reads = settings.scale.length > 0 ? scale : settings.without.length > 0 ? ablate : compare;
const run = settings.public ? measurePublic : settings.writes ? measureWrites : reads;
console.log(await run(settings));
// lingering connections of the load generator must not keep the process alive
process.exit(0);
