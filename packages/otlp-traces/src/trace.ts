/** As in OpenTelemetry. */
export interface Span {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** For the servers that we call (W3C Trace Context). */
  traceparent: string;
  child(name: string, kind: 'internal' | 'client', attributes?: Attributes): Span;
  set(attributes: Attributes): void;
  rename(name: string): void;
  end(error?: unknown): void;
}

export type Attributes = Record<string, string | number>;

export interface Tracer {
  /** A span without a parent of ours; null if the sampler leaves it out. @param traceparent of the caller, perhaps invalid */
  begin(name: string, kind: 'server' | 'client', traceparent: string | undefined, attributes?: Attributes): Span | null;
}

/** The samplers of OpenTelemetry that need only a number. */
export const samplerNames = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;
export type SamplerName = (typeof samplerNames)[number];

/** The tracer of the process; null if nothing is traced. */
export const tracing: { tracer: Tracer | null } = { tracer: null };

const form = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/;

/** Null if it is not valid (W3C Trace Context, section 3.2). */
export function parseTraceparent(traceparent: string): { traceId: string; spanId: string; flags: number } | null {
  const [, traceId, spanId, flags = ''] = form.exec(traceparent) ?? [];
  return traceId && spanId ? { traceId, spanId, flags: Number.parseInt(flags, 16) } : null;
}
