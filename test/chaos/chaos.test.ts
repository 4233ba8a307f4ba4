import { expect, it } from 'vitest';
import { faults, runDrill } from './drill.ts';

// the long form is `npm run chaos`
it('nothing acknowledged is lost or doubled while service and database are killed, frozen and cut off', {
  timeout: 300_000,
}, async () => {
  const lines: string[] = [];
  const plan = [...faults, 'service', 'database'] as const;
  const { acknowledged, recoveries, wrong } = await runDrill(plan, (line) => lines.push(line));
  expect(wrong, lines.join('\n')).toEqual([]);
  expect(acknowledged).toBeGreaterThan(plan.length);
  for (const fault of faults) expect([fault, recoveries[fault].count > 0]).toEqual([fault, true]);
});
