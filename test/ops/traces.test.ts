import { describe, expect, it } from 'vitest';
import { insertEvent, insertMember } from '../support/fixtures.ts';
import { mailsTo } from '../support/guests.ts';
import { startReceiver } from '../support/receiver.ts';
import { callerHeaders, graphql, send } from '../support/send.ts';
import { join, post, serve, signIn, startTestServer } from '../support/server.ts';
import { inTest, shared } from '../support/shared.ts';
import { allowLoopback, createWebhook } from '../support/webhooks.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** A collector that keeps what it gets. */
async function startCollector() {
  const spans: SentSpan[] = [];
  const { port, close } = await startReceiver((response, { text }) => {
    const body = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] };
    spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  return { url: `http://127.0.0.1:${port}`, spans, close };
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parent}-01`;

const collector = await shared(startCollector());
const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '1', ...allowLoopback };
const traced = await startTestServer({ env });
const member = await insertMember(traced.orm, { role: 'manager' });
const { organizationId } = member;
const caller = { ...(await signIn(traced.url, member.email)), organizationId };
await fetch(`${traced.url}/events`, { headers: { ...callerHeaders(caller), traceparent } });
await graphql(traced, caller, 'query Mine { events(first: 1) { nodes { name } } }', {}, { traceparent });
const receiver = await startReceiver();
const owner = await join(traced, organizationId, 'owner');
const { id } = await createWebhook(traced, owner, { url: receiver.url });
expect((await send(traced, owner, `POST /webhooks/${id}/test`)).status).toBe(200);
const { id: eventId } = await insertEvent(traced.orm, { organizationId });
const subscribed = await send(traced, caller, `POST /events/${eventId}/subscriptions`, {}, { traceparent });
expect(subscribed.status).toBe(201);
await post(`${traced.url}/auth/reset-password-request`, { email: owner.email }, { traceparent });
await post(`${traced.url}/auth/reset-password-request`, { email: member.email });
await mailsTo(traced, owner.email, 1);
await mailsTo(traced, member.email, 2);
await traced.close();
await receiver.close();

describe('with a collector', () => {
  const named = (name: string) => collector.spans.filter((span) => span.traceId === traceId && span.name === name);

  it('a request continues the trace of its caller, and its statements are below it', () => {
    const [request] = named('GET listEvents');
    expect(request?.parentSpanId).toBe(parent);
    const statements = named('db select').filter((span) => span.parentSpanId === request?.spanId);
    expect(statements.length).toBeGreaterThan(0);
  });

  it('the statements of a GraphQL operation are below it, and it is below its request', () => {
    const [request] = named('POST Query.events');
    const [operation] = named('graphql Query.events');
    expect(operation?.parentSpanId).toBe(request?.spanId);
    expect(named('db select').filter((span) => span.parentSpanId === operation?.spanId).length).toBeGreaterThan(0);
  });

  it('no span shows a name, a value, or a text that a client sent', () => {
    const sent = JSON.stringify(collector.spans);
    expect(collector.spans.length).toBeGreaterThan(4);
    for (const secret of ['Mine', 'select ', '@']) expect(sent).not.toContain(secret);
  });

  it('a webhook gets the trace of its delivery', () => {
    const [, id, span] = String(receiver.received[0]?.headers.traceparent).split('-');
    const delivery = { traceId: id, name: 'POST webhook' };
    expect(collector.spans.filter(({ spanId }) => spanId === span)).toMatchObject([delivery]);
  });

  it('a mail is sent in the trace of the request that caused it, one that nobody traced in its own', () => {
    const sent = collector.spans.filter(({ name }) => name === 'send mail');
    const kindOf = ({ attributes }: SentSpan) =>
      attributes.find(({ key }) => key === 'events_gateway.mail.kind')?.value.stringValue;
    const causes = sent.map((span) => {
      const cause = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
      return [kindOf(span), span.traceId === traceId && cause?.traceId === traceId, cause?.name];
    });
    expect(causes).toHaveLength(3);
    expect(causes).toEqual(
      expect.arrayContaining([
        ['subscription', true, 'POST subscribe'],
        ['reset', true, 'POST requestPasswordReset'],
        ['reset', false, 'POST requestPasswordReset'],
      ]),
    );
  });

  it('the log names the trace', () => {
    expect(traced.logLines.filter((line) => line.includes(`"traceId":"${traceId}"`)).length).toBe(4);
  });
});

/** Which of two traces and of two requests without one the collector gets to see. */
async function sampledWith(env: Record<string, string>) {
  const collector = await inTest(startCollector());
  const server = await startTestServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env } });
  const member = await insertMember(server.orm);
  const { accessToken, organizationId } = { ...member, ...(await signIn(server.url, member.email)) };
  const headers = callerHeaders({ accessToken, organizationId });
  const other = 'a'.repeat(32);
  for (const sent of [traceparent, `00-${other}-${parent}-00`, null, null]) {
    await fetch(`${server.url}/events`, { headers: sent === null ? headers : { ...headers, traceparent: sent } });
  }
  await server.close();
  const requests = collector.spans.filter(({ name }) => name === 'GET listEvents').map((span) => span.traceId);
  const below = collector.spans.filter(({ name }) => name === 'db select').map((span) => span.traceId);
  const count = (ids: string[], id: string) => ids.filter((each) => each === id).length;
  return {
    asked: count(requests, traceId),
    declined: count(requests, other),
    begun: requests.length - count(requests, traceId) - count(requests, other),
    statementsOfOthers: below.filter((id) => !requests.includes(id)).length,
    logged: server.logLines.filter((line) => line.includes(`"traceId":"${other}"`)).length,
  };
}

it.each([
  ['parentbased_traceidratio', '0', { asked: 1, declined: 0, begun: 0 }],
  ['parentbased_always_off', '1', { asked: 1, declined: 0, begun: 0 }],
  ['parentbased_always_on', '0', { asked: 1, declined: 0, begun: 2 }],
  ['always_on', '0', { asked: 1, declined: 1, begun: 2 }],
  ['always_off', '1', { asked: 0, declined: 0, begun: 0 }],
  ['traceidratio', '0', { asked: 0, declined: 0, begun: 0 }],
])('a sampler %s with %s decides which requests are traced; of others nothing is', async (name, argument, expected) => {
  const env = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument };
  const { statementsOfOthers, ...found } = await sampledWith(env);
  // the log names the trace of a caller, whether or not it is sent
  expect(found).toEqual({ ...expected, logged: 1 });
  // those of the sign-in, which is traced like all that begins here
  if (expected.begun === 0) expect(statementsOfOthers).toBe(0);
});

const server = await serve();

it.each([
  [traceparent, traceId],
  [`${traceparent}, ${traceparent}`, undefined],
])('without a collector the log names the trace of a caller only if it is valid: %s', async (sent, expected) => {
  const before = server.logLines.length;
  await fetch(`${server.url}/openapi.json`, { headers: { traceparent: sent } });
  await expect.poll(() => server.logLines.length).toBe(before + 1);
  expect((JSON.parse(server.logLines[before] as string) as { traceId?: string }).traceId).toBe(expected);
});

it('a collector that does not answer delays neither requests nor the stop', async () => {
  const server = await startTestServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://192.0.2.1:4318' } });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const began = performance.now();
  await server.close();
  expect(performance.now() - began).toBeLessThan(10_000);
});
