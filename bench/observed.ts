import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProgress } from '../packages/command-line/src/index.ts';
import { Calm } from './calm.ts';
import { type BenchData, openBenchDatabase } from './database.ts';
import { shoot } from './load.ts';
import { type RunningPeer, startPeers, stopPeers } from './peers.ts';
import { rest } from './questions.ts';
import { figure, median, origin, save, table } from './report.ts';
import { requestOf } from './request.ts';
import type { Settings } from './settings.ts';

const forms = ['off', 'metrics', 'metrics and traces', 'metrics and every trace'] as const;
type Form = (typeof forms)[number];

/** How many requests are sent in a round, per second of the setting. */
const amount = 2_000;

/** Measures Q1 without metrics, with them, and with traces as well, of some requests and of all, in turn; returns the report. */
export async function measureObserved(settings: Settings): Promise<string> {
  const data = await openBenchDatabase(settings.counts, process.env.DATABASE_URL ?? null);
  const collector = await startCollector();
  const { port } = collector.address() as AddressInfo;
  const traced = { METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const environments: Record<Form, Record<string, string>> = {
    off: {},
    metrics: { METRICS_PORT: '0' },
    'metrics and traces': traced,
    'metrics and every trace': { ...traced, OTEL_TRACES_SAMPLER: 'always_on' },
  };
  const running = new Map<Form, Map<'gateway', RunningPeer>>();
  try {
    for (const form of forms) running.set(form, await start(data, environments[form]));
    const throughputs = await measure(running, settings);
    const text = report(throughputs, settings);
    await save(settings.out, { 'observed.md': text });
    return text;
  } finally {
    for (const each of running.values()) await stopPeers(each);
    collector.close();
    await data.close();
  }
}

async function start(data: BenchData, env: Record<string, string>): Promise<Map<'gateway', RunningPeer>> {
  return (await startPeers(['gateway'], data, { env })) as Map<'gateway', RunningPeer>;
}

/** One that takes what it gets. */
async function startCollector(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function measure(
  running: ReadonlyMap<Form, ReadonlyMap<'gateway', RunningPeer>>,
  { rounds, seconds, connections }: Settings,
): Promise<Record<Form, number[]>> {
  const results = Object.fromEntries(forms.map((form) => [form, []])) as unknown as Record<Form, number[]>;
  const calm = new Calm(rounds * forms.length);
  const progress = createProgress();
  progress.begin('Q1', (rounds + 1) * forms.length);
  // the first round warms up
  for (let round = 0; round <= rounds; round += 1) {
    // each form is first, second and last equally often
    for (let place = 0; place < forms.length; place += 1) {
      const form = forms[(round + place) % forms.length] as Form;
      const gateway = running.get(form)?.get('gateway') as RunningPeer;
      const request = requestOf(gateway, rest('/events', { limit: '20' }));
      const { total, elapsed } = await calm.measure(() => shoot(request, connections, amount * seconds));
      if (round > 0) results[form].push((total / elapsed) * 1000);
      progress.advance(1);
    }
  }
  progress.end();
  return results;
}

function report(throughputs: Record<Form, number[]>, { command, rounds, connections, counts }: Settings): string {
  const ratios = (form: Form) => throughputs[form].map((each, round) => each / (throughputs.off[round] ?? Number.NaN));
  return `# What metrics and traces cost

Q1 (first page of 20, REST), ${counts.events.toLocaleString('en')} events, ${connections} connections; rounds: ${rounds}, in each of which four services take turns: without metrics, with them, with traces of one request
in ten as well, which is the default, and of each request, sent to a collector that drops them. Throughput relative to the first in the same round.

${origin(command)}
${table(
  ['', 'median', 'least', 'most'],
  forms.map((form) => [
    form,
    `${figure(median(ratios(form)), 3)} ×`,
    figure(Math.min(...ratios(form)), 3),
    figure(Math.max(...ratios(form)), 3),
  ]),
)}
`;
}
