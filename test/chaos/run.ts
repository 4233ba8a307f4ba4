import { parseArgs } from 'node:util';
import { type Fault, faults, runDrill } from './drill.ts';

// npm run chaos -- --kills 200: that many kills of the service and of the database each, and a tenth of the other faults

const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' } } });
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) throw new Error('--kills: a positive whole number');
const plan: Fault[] = Array.from({ length: kills }, (_, index) => {
  const others = faults.slice(2);
  return ['service', 'database', ...(index % 10 === 0 ? others : [])] as Fault[];
}).flat();
const { acknowledged, recoveries, wrong } = await runDrill(plan, (line) => console.log(line));
console.log(`\n${acknowledged} events acknowledged, ${wrong.length} faults`);
for (const [fault, { count, longest }] of Object.entries(recoveries)) {
  console.log(`${fault}: ${count} times, writes again after ${longest} ms at most`);
}
for (const each of wrong) console.log(`  ${each}`);
process.exit(wrong.length === 0 ? 0 : 1);
