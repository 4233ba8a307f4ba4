import { expect, it } from 'vitest';
import { openTracing, parseTraceparent } from '../src/index.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

it('reads a traceparent, also of a later version', () => {
  const read = { traceId, spanId, flags: 1 };
  expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual(read);
  expect(parseTraceparent(`01-${traceId}-${spanId}-01-more`)).toEqual(read);
});

it.each([
  ['an empty text', ''],
  ['a version that does not exist', `ff-${traceId}-${spanId}-01`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['a parent of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['capital letters', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['a long text', 'x'.repeat(5_000)],
])('reads nothing from %s', (_, traceparent) => {
  expect(parseTraceparent(traceparent)).toBeNull();
});

it("continues the caller's trace, and only if the sampler takes it", async () => {
  const options = { endpoint: 'http://127.0.0.1:9', serviceName: 'mill', tracerName: 'mill', ratio: 0 };
  const traces = await openTracing({ ...options, sampler: 'parentbased_traceidratio' });
  expect(traces.begin('GET', 'server', undefined)).toBeNull();
  const span = traces.begin('GET', 'server', `00-${traceId}-${spanId}-01`);
  expect(span?.traceId).toBe(traceId);
  const child = span?.child('db select', 'client');
  expect(parseTraceparent(child?.traceparent ?? '')).toMatchObject({ traceId, flags: 1 });
  expect(parseTraceparent(child?.traceparent ?? '')?.spanId).not.toBe(spanId);
});
