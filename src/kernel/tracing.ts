/** A part of the work, in the terms of OpenTelemetry. */
export interface Span {
  /** The trace that it belongs to, as 32 hexadecimal digits. */
  traceId: string;
  /** What a server that we call continues the trace with (W3C Trace Context, `traceparent`). */
  traceparent: string;
  child(name: string, kind: 'internal' | 'client', attributes?: Attributes): Span;
  set(attributes: Attributes): void;
  rename(name: string): void;
  end(error?: unknown): void;
}

export type Attributes = Record<string, string | number>;

/** Begins spans that have no span of ours above them. */
export interface Tracer {
  /**
   * Null if the sampler leaves it out: then nothing below it is traced either, and costs nothing.
   *
   * @param traceparent that of the caller; ignored if it is not valid
   */
  begin(name: string, kind: 'server' | 'client', traceparent: string | undefined, attributes?: Attributes): Span | null;
}

/** The samplers of OpenTelemetry that need nothing but a number. With `parentbased`, the caller decides if there is one. */
export const samplerNames = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;
export type SamplerName = (typeof samplerNames)[number];

/** The tracer of the process; null unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set (note 0064). */
export const tracing: { tracer: Tracer | null } = { tracer: null };

const form = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/;

/** The trace that a `traceparent` continues; null if it is not valid (W3C Trace Context, section 3.2; of later versions the first four fields). */
export function parseTraceparent(traceparent: string): { traceId: string; spanId: string; flags: number } | null {
  const [, traceId, spanId, flags = ''] = form.exec(traceparent) ?? [];
  return traceId && spanId ? { traceId, spanId, flags: Number.parseInt(flags, 16) } : null;
}
