import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/schema/schema.ts';
import { openOrm } from '../support/database.ts';
import { insertMember } from '../support/fixtures.ts';
import { routesOfTest } from '../support/routes.ts';
import { scrape, sumOf } from '../support/scrape.ts';
import { graphql, send } from '../support/send.ts';
import { post, refreshWith, serve, serveInTest, signIn } from '../support/server.ts';
import { inTest, sharedFolder } from '../support/shared.ts';

const trusted = 'query Dashboard { events(first: 1) { totalCount } }';
const server = await serve({ env: { METRICS_PORT: '0', RATE_LIMIT: 'on', REFRESH_GRACE_SECONDS: '0' } });
const { email, organizationId } = await insertMember(server.orm, { role: 'manager' });
const caller = { accessToken: (await signIn(server.url, email)).accessToken, organizationId };

const now = () => scrape(server.metricsUrl);
/** What says by how much the series with these labels have grown while something was done. */
async function growth(act: () => Promise<unknown>) {
  const before = await now();
  await act();
  const after = await now();
  return (name: string, labels: Record<string, string>) => sumOf(after, name, labels) - sumOf(before, name, labels);
}
const ask = (path: string) => send(server, caller, `GET ${path}`);

describe('the metrics', () => {
  it('count requests, errors, statements and time of each operation of REST', async () => {
    const grown = await growth(async () => {
      await ask('/events');
      await ask('/events?sort=7');
    });
    const labels = { face: 'rest', operation: 'listEvents' };
    expect(grown('events_gateway_requests_total', { ...labels, status: '200' })).toBe(1);
    expect(grown('events_gateway_requests_total', { ...labels, status: '400' })).toBe(1);
    expect(grown('events_gateway_errors_total', { ...labels, code: 'INVALID_QUERY' })).toBe(1);
    expect(grown('events_gateway_request_seconds_count', labels)).toBe(2);
    expect(grown('events_gateway_statements_total', labels)).toBeGreaterThan(0);
  });

  it('count the same of GraphQL by root fields, and the cost', async () => {
    const queries = ['query Whatever { events(first: 7) { nodes { id } } }', '{ events(first: -1) { totalCount } }'];
    const others = ['query Two { viewer { id } organization { id } }', '{ nonsense }'];
    const grown = await growth(async () => {
      for (const each of [...queries, ...others]) await graphql(server, caller, each);
    });
    const of = (operation: string) => ({ face: 'graphql', operation });
    expect(grown('events_gateway_requests_total', of('Query.events'))).toBe(2);
    expect(grown('events_gateway_requests_total', of('Query.several'))).toBe(1);
    expect(grown('events_gateway_requests_total', of('refused'))).toBe(1);
    expect(grown('events_gateway_errors_total', { ...of('Query.events'), code: 'INVALID_QUERY' })).toBe(1);
    expect(grown('events_gateway_errors_total', { ...of('refused'), code: 'GRAPHQL_VALIDATION_FAILED' })).toBe(1);
    expect(grown('events_gateway_statements_total', of('Query.events'))).toBeGreaterThan(0);
    expect(grown('events_gateway_graphql_cost_total', { operation: 'Query.events' })).toBeGreaterThanOrEqual(7);
    for (const field of ['Query.viewer', 'Query.organization']) {
      expect([field, grown('events_gateway_graphql_root_fields_total', { field })]).toEqual([field, 1]);
    }
  });

  it('count the statements of a transaction', async () => {
    const event = { name: 'Counted', date_start: '2031-01-01T10:00:00Z', date_end: '2031-01-01T11:00:00Z' };
    const grown = await growth(async () => {
      expect((await send(server, caller, 'POST /events', event)).status).toBe(201);
    });
    expect(grown('events_gateway_statements_total', { operation: 'createEvent' })).toBeGreaterThan(2);
  });

  it('count sessions ended by replay and limits hit', async () => {
    const { cookie } = await signIn(server.url, email);
    expect((await refreshWith(server.url, cookie)).status).toBe(200);
    expect((await refreshWith(server.url, cookie)).status).toBe(401);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await post(`${server.url}/auth/login`, { email, password: 'not the password' });
    }
    const after = await now();
    expect(sumOf(after, 'events_gateway_sessions_replayed_total')).toBe(1);
    expect(sumOf(after, 'events_gateway_limits_hit_total', { rule: 'login_account' })).toBeGreaterThan(0);
  });

  it('show the pools, the turns, what waits in the database, and what keeps the service from being ready', async () => {
    const { series } = await now();
    expect(series.get('events_gateway_backlog_known')).toBe(1);
    expect(series.get('events_gateway_database_reachable')).toBe(1);
    expect(series.get('events_gateway_obstacle{obstacle="event_loop"}')).toBe(0);
    expect(series.get('events_gateway_webhook_records_failed_total')).toBe(0);
    for (const name of [
      'events_gateway_database_connections{pool="primary",state="idle"}',
      'events_gateway_turns{state="waiting"}',
      'events_gateway_mails_due',
      'events_gateway_webhook_lag_seconds',
      'events_gateway_feed_lag_seconds',
      'events_gateway_streams{kind="stream"}',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect([name, series.has(name)]).toEqual([name, true]);
    }
  });

  it('name a trusted document by its name, which the operator chose', async () => {
    const file = path.join(await sharedFolder(), 'documents.json');
    await writeFile(file, JSON.stringify({ dashboard: trusted }));
    const { databaseUrl, secrets } = server;
    const env = { METRICS_PORT: '0', TRUSTED_DOCUMENTS: file };
    const other = await serveInTest({ databaseUrl, secrets, env });
    await graphql(other, caller, trusted);
    const after = await scrape(other.metricsUrl);
    expect(sumOf(after, 'events_gateway_requests_total', { operation: 'document.Dashboard' })).toBe(1);
  });

  it('know how far each read replica is behind, and which ones do not respond', async () => {
    const { host } = new URL(server.databaseUrl);
    // a server of its own is no replica: it is never behind
    const replicaUrls = [server.databaseUrl, 'postgres://127.0.0.1:1/none'];
    const { orm } = await inTest(openOrm({ url: server.databaseUrl, replicaUrls }));
    const lags = () => orm.connections.replicas?.all.map(({ name, state, lag }) => ({ name, state, lag }));
    await expect.poll(lags).toEqual([
      { name: host, state: 'used', lag: 0 },
      { name: '127.0.0.1:1', state: 'lost', lag: 0 },
    ]);
  });

  it('serve nothing else on their port', async () => {
    expect((await fetch(server.metricsUrl.replace('/metrics', '/'))).status).toBe(404);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  });
});

describe('what a client chooses adds no series', () => {
  const rounds = 10_000;

  it(`${rounds} names of operations, and as many aliases, paths, ids and headers`, { timeout: 300_000 }, async () => {
    const hostile = async (index: number) => {
      const name = `Hostile_${index}`;
      await graphql(server, caller, `query ${name} { ${name}: viewer { id } }`);
      if (index % 100 > 0) return;
      await graphql(server, caller, `query ${name} { ${name} }`);
      await graphql(server, caller, `mutation ${name} { ${name}(input: {}) { id } }`);
      await ask(`/${name}`);
      await ask(`/events/${crypto.randomUUID()}`);
      await ask(`/events?${name}=1&sort=${name}`);
      await fetch(`${server.url}/graphql/${name}`, { method: 'DELETE', headers: { [name]: name } });
    };
    await hostile(rounds);
    const before = await now();
    let next = 0;
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        while (next < rounds) {
          next += 1;
          await hostile(next);
        }
      }),
    );
    const after = await now();
    // whether access is read anew depends on the time
    const isOurs = (key: string) => /^events_gateway_(?!statements)/.test(key);
    expect([...after.series.keys()].filter((key) => isOurs(key) && !before.series.has(key))).toEqual([]);
    expect([...after.series.keys()].filter((key) => key.includes('Hostile'))).toEqual([]);
  });

  it('every operation is one that exists', async () => {
    const operations = routesOfTest.map((each) => each.operationId);
    const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = types.flatMap((type) => Object.keys(type?.getFields() ?? {}).map((field) => `${type}.${field}`));
    const fixed = ['other', 'refused', 'Query.several', 'document.Dashboard'];
    const seen = [...(await now()).series.keys()].flatMap((key) => /operation="([^"]*)"/.exec(key)?.[1] ?? []);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.filter((name) => ![...operations, ...fields, ...fixed].includes(name))).toEqual([]);
  });
});
