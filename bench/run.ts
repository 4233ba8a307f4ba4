import { ablate } from './ablation.ts';
import { measureChanges } from './changes.ts';
import { compare } from './compare.ts';
import { limitCores } from './control-group.ts';
import { measureLive } from './live.ts';
import { measureObserved } from './observed.ts';
import { measurePublic } from './public.ts';
import { scale } from './scale.ts';
import { readSettings, type Settings } from './settings.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureWrites } from './writes.ts';

const settings = readSettings(process.argv.slice(2));
// what it starts inherits that
const end = settings.first ? limitCores([process.pid], null) : () => {};
console.log(await chosen(settings)(settings));
end();
// lingering connections of the load generator must not keep the process alive
process.exit(0);

function chosen(given: Settings): (settings: Settings) => Promise<string> {
  if (given.observed) return measureObserved;
  if (given.changes.length > 0) return measureChanges;
  if (given.live) return measureLive;
  if (given.webhooks) return measureWebhooks;
  if (given.public) return measurePublic;
  if (given.writes) return measureWrites;
  if (given.scale.length > 0) return scale;
  return given.without.length > 0 ? ablate : compare;
}
