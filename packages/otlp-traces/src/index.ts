import type { OpenTracing, TraceOptions } from './open-telemetry.ts';

export { parseTraceparent, type Span, samplerNames, tracing } from './trace.ts';

/** Makes the tracer of the process, until it is stopped. */
export async function openTracing(options: TraceOptions): Promise<OpenTracing> {
  const { startTracing } = await import('./open-telemetry.ts');
  return startTracing(options);
}
