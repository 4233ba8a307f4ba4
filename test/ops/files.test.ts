import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../src/kernel/version.ts';
import { proxyPrograms, startProxy } from '../support/installed-programs.ts';
import { findProgram, lacks } from '../support/programs.ts';
import { startedReceiver } from '../support/receiver.ts';
import { scrape } from '../support/scrape.ts';
import { serve } from '../support/server.ts';
import { inTest } from '../support/shared.ts';

const root = path.join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const board = read('ops/grafana/events-gateway.json');
const alerts = read('ops/prometheus/alerts.yml');
const page = read('docs/operate/observe.md');

const server = await serve({ env: { METRICS_PORT: '0' } });
const shown = await scrape(server.metricsUrl);

/** The names of metrics in a text, those of the parts of a histogram as the histogram. */
function namesIn(text: string): string[] {
  const names = text.match(/\b(events_gateway|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return [...new Set(names.map((name) => (shown.types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''))))];
}

describe('the files for operators', () => {
  const texts = { 'the board': board, 'the alerts': alerts, 'the page': page };
  it.each(Object.entries(texts))('%s: every metric exists', (_, text) => {
    expect(namesIn(text).length).toBeGreaterThan(10);
    expect(namesIn(text).filter((name) => !shown.types.has(name))).toEqual([]);
  });

  it('the board shows each of our metrics, and the page explains it', () => {
    const ours = [...shown.types.keys()].filter((name) => name.startsWith('events_gateway_'));
    expect(ours.length).toBeGreaterThan(15);
    expect(ours.filter((name) => !namesIn(board).includes(name))).toEqual([]);
    expect(ours.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('the board is valid: each panel has an id of its own, a place, and a query', () => {
    const { panels } = JSON.parse(board) as {
      panels: { id: number; title: string; gridPos: object; targets: { expr: string }[] }[];
    };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { title, gridPos, targets } of panels) {
      expect([title, typeof gridPos, targets.length > 0]).toEqual([title, 'object', true]);
      for (const { expr } of targets) {
        expect([title, expr.split('(').length]).toEqual([title, expr.split(')').length]);
      }
    }
  });

  it('each alert has a condition, a severity and a summary', () => {
    const rules = alerts.split('- alert: ').slice(1);
    expect(rules.length).toBeGreaterThan(10);
    for (const rule of rules) {
      expect(rule).toMatch(/^EventsGateway\w+\n\s+expr: /);
      expect(rule).toMatch(/labels: \{ severity: (page|ticket) \}/);
      expect(rule).toMatch(/summary: ["'][A-Z].*[.?]["']/);
      expect(rule).toMatch(/runbook_url: https:\/\/\S+\/docs\/operate\/runbooks#eventsgateway\w+$/m);
    }
  });

  it('each alert has a section in the runbooks: what it means, what to look at, what to do; and no section is of another', () => {
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
    const anchors = [...alerts.matchAll(/runbooks#(\w+)/g)].map(([, anchor = '']) => anchor);
    expect(anchors).toEqual(names.map((name) => name.toLowerCase()));
    const sections = read('docs/operate/runbooks.md').split('\n## ').slice(1);
    expect(sections.map((section) => section.split('\n')[0])).toEqual(names);
    for (const section of sections)
      expect(section.toLowerCase()).toMatch(/\*\*means:[\s\S]*\*\*look at:[\s\S]*\*\*do:/);
  });

  it('the runbooks name log lines that the service writes', () => {
    const named = [...read('docs/operate/runbooks.md').matchAll(/`((?!kubectl)[a-z]+(?: [a-z]+){2,})`/g)].map(
      ([, line = '']) => line,
    );
    expect(named).toContain('gave up on a mail');
    const source = globSync('src/**/*.ts', { cwd: root }).map(read).join('\n');
    expect(named.filter((line) => !source.includes(line))).toEqual([]);
  });

  it('each rule names the job that is scraped, at the ports of the guide, and is evaluated as often', () => {
    const { groups } = parse(alerts) as { groups: { rules: { expr: string }[] }[] };
    for (const { expr } of groups.flatMap(({ rules }) => rules)) {
      const metrics = expr.match(/\b(?:events_gateway|nodejs|process)_\w+|\bup\b/g) ?? [];
      expect([expr, expr.match(/\{job="events-gateway"/g)?.length]).toEqual([expr, metrics.length]);
    }
    const { global, scrape_configs: jobs } = parse(read('ops/prometheus/prometheus.yml')) as {
      global: { scrape_interval: string; evaluation_interval: string };
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    expect(global.evaluation_interval).toBe(global.scrape_interval);
    expect(jobs.map(({ job_name: name }) => name)).toEqual(['events-gateway']);
    const started = read('docs/operate/install.md')
      .match(/replica \d+ (\d+); replica \d+ (\d+)/)
      ?.slice(1);
    expect(jobs[0]?.static_configs[0]?.targets).toEqual(started?.map((port) => `127.0.0.1:${port}`));
  });

  it('name the package and the image of this version, as the pages for operators do', () => {
    const files = globSync('{ops/**/*,docs/operate/{install,containers}.md}', { cwd: root, withFileTypes: true });
    const named = files
      .filter((entry) => entry.isFile())
      .flatMap(({ parentPath, name }) => [
        ...readFileSync(path.join(parentPath, name), 'utf8').matchAll(/events-gateway[-:](\d+\.\d+\.\d+)/g),
      ])
      .map(([, found]) => found);
    expect(named.length).toBeGreaterThan(4);
    expect([...new Set(named)]).toEqual([version]);
  });

  it.skipIf(lacks('promtool'))('Prometheus takes the configuration and the rules', () => {
    const check = (...args: string[]) =>
      spawnSync(String(findProgram('promtool')), ['check', ...args], { cwd: root, encoding: 'utf8' });
    expect(check('config', 'ops/prometheus/prometheus.yml')).toMatchObject({ status: 0 });
    expect(check('rules', 'ops/prometheus/alerts.yml').stdout).toMatch(/SUCCESS: \d+ rules found/);
  });
});

describe('the files for containers and units', () => {
  const dockerfile = read('Dockerfile');
  const compose = read('ops/compose/compose.yml');
  const unit = read('ops/systemd/events-gateway@.service');
  const start = (JSON.parse(read('package.json')) as { scripts: { start: string } }).scripts.start;

  it('set only variables that exist', () => {
    const settings = [read('src/config/settings.ts'), read('src/config/bounds.ts')].join();
    const known = (name: string) => name === 'MALLOC_MMAP_THRESHOLD_' || settings.includes(`'${name}'`);
    const ofGateway = compose.slice(compose.indexOf('x-gateway'), compose.indexOf('services:'));
    const named = [
      ...(dockerfile.match(/^ENV (.*)$/m)?.[1]?.matchAll(/([A-Z_]+)=/g) ?? []),
      ...(unit.match(/^Environment=(.*)$/m)?.[1]?.matchAll(/([A-Z_]+)=/g) ?? []),
      ...ofGateway.matchAll(/^ {4}([A-Z_]+): /gm),
    ].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known(name))).toEqual([]);
  });

  it('the service of the compose file has the role for rows alone, and only migrations that of the owner', () => {
    const roles = (text: string) => new Set([...text.matchAll(/postgres:\/\/(\w+):/g)].map(([, role]) => role));
    const [ofGateway = '', services = ''] = compose.split(/^services:$/m);
    const migrate = /^ {2}migrate:\n(?: {4}.*\n)+/m.exec(services)?.[0] ?? '';
    expect([...roles(ofGateway)]).toEqual(['events_service']);
    expect([...roles(migrate)]).toEqual(['events_owner']);
    expect([...roles(services.replace(migrate, ''))]).toEqual([]);
    expect(ofGateway).toContain('migrate: { condition: service_completed_successfully }');
    expect(compose).toMatch(/DB_USER: events_service$/m);
    expect(compose).toContain('../postgres/roles.sql:/docker-entrypoint-initdb.d/1-roles.sql:ro');
    expect(compose).not.toContain('POSTGRES_USER');
    expect(compose.match(/POSTGRES_PASSWORD/g)).toHaveLength(2);
  });

  it('start the program of the package, which sets what `npm start` sets', () => {
    const flags = start.match(/--\S+/g) ?? [];
    const memory = start.match(/MALLOC_MMAP_THRESHOLD_=\d+/)?.[0] as string;
    const program = read('src/commands/events-gateway.ts');
    expect(flags.length).toBeGreaterThan(1);
    for (const part of flags) expect(program).toContain(part);
    expect(program).toContain(memory.replace('=', ": '"));
    expect(dockerfile).toMatch(/^CMD \["events-gateway"\]$/m);
    expect(unit).toMatch(/^ExecStart=\S+\/node_modules\/\.bin\/events-gateway$/m);
  });

  it('give a stop the time that it takes in production', () => {
    expect(compose).toContain('stop_grace_period: 30s');
    expect(unit).toContain('TimeoutStopSec=30\n');
  });

  it('the unit is for several replicas, each with ports of its own, and has a user', () => {
    expect(unit).toContain('EnvironmentFile=/etc/events-gateway/%i.env\n');
    const [, user = ''] = /^User=(.*)$/m.exec(unit) ?? [];
    expect(read('ops/systemd/events-gateway.conf')).toMatch(new RegExp(`^u ${user} `, 'm'));
    expect(unit).not.toMatch(/PORT=/);
  });

  it('the health check of the image, which starts a Node.js, does not run more often than twice a minute', () => {
    expect(Number(/--interval=(\d+)s/.exec(dockerfile)?.[1])).toBeGreaterThanOrEqual(30);
  });

  it('the Dockerfile is valid', () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  it('the proxy of the compose file is the one that was tried, under other names', () => {
    const lines = (file: string) =>
      read(file)
        .replace(/server (one|two) \S+/g, 'server $1')
        .replace(' resolvers docker init-addr libc,none', '')
        .split('\n')
        .filter((line) => !line.startsWith('#') && line !== '');
    const tried = lines('ops/proxies/haproxy.cfg');
    expect(lines('ops/compose/haproxy.cfg').slice(0, tried.length)).toEqual(tried);
  });
});

/** Stands for two replicas: says the same as they do where the proxy asks, and names each response. */
const startReplica = () =>
  startedReceiver(
    (response) => void response.writeHead(200, { 'x-request-id': 'of-the-service', connection: 'close' }).end('true'),
  );

/** A proxy before two of them, which end with the test. */
async function start(program: (typeof proxyPrograms)[number]) {
  const replicas = [await startReplica(), await startReplica()] as const;
  return { replicas, proxy: await inTest(startProxy(program, [replicas[0].port, replicas[1].port])) };
}

describe.each(proxyPrograms)('$name', (program) => {
  it.skipIf(lacks(program.program))('logs each request, with the id that the log of the service has', async () => {
    const { proxy } = await start(program);
    await fetch(`${proxy.url}/events?limit=1`);
    await expect.poll(proxy.output).toMatch(/GET \/events\?limit=1 .*of-the-service|of-the-service.*GET \/events/);
  });
});

const haproxy = proxyPrograms.filter(({ name }) => name === 'HAProxy');
it.skipIf(lacks('haproxy')).each(haproxy)(
  '$name without a replica answers as the service would: a problem with a code, and when to ask again',
  async (program) => {
    const { proxy, replicas } = await start(program);
    for (const each of replicas) await each.close();
    await expect.poll(async () => (await fetch(`${proxy.url}/events`)).status).toBe(503);
    const answer = await fetch(`${proxy.url}/events`);
    const id = String(answer.headers.get('x-request-id'));
    expect([answer.headers.get('content-type'), answer.headers.get('retry-after'), await answer.json()]).toEqual([
      'application/problem+json',
      '2',
      {
        type: 'about:blank',
        title: 'The service is not available right now.',
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        detail: 'No replica of the service takes requests at the moment.',
        request_id: id,
      },
    ]);
    expect(id).toMatch(/^[\da-f-]{36}$/);
    await expect.poll(proxy.output).toContain(id);
  },
);
