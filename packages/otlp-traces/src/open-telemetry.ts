import {
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type Attributes, parseTraceparent, type SamplerName, type Span, type Tracer } from './trace.ts';

export interface TraceOptions {
  /** Of a collector for OTLP over HTTP, without `/v1/traces`. */
  endpoint: string;
  serviceName: string;
  /** The name of the code that makes the spans. */
  tracerName: string;
  sampler: SamplerName;
  /** 0 to 1, for samplers that take one. */
  ratio: number;
}

export interface OpenTracing extends Tracer {
  /** Sends what is left. */
  stop(): Promise<void>;
}

const samplers: Record<SamplerName, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** Loaded only for a process that traces: the SDK is large. */
export function startTracing({ endpoint, serviceName, tracerName, sampler, ratio }: TraceOptions): OpenTracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName })),
    sampler: samplers[sampler](ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer(tracerName);
  return {
    begin: (name, kind, traceparent, attributes) => {
      const caller = traceparent === undefined ? null : parseTraceparent(traceparent);
      const remote = caller && { ...caller, traceFlags: caller.flags & TraceFlags.SAMPLED, isRemote: true };
      const context = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: kinds[kind], ...(attributes && { attributes }) }, context);
      return span.isRecording() ? new TracedSpan(tracer, span) : null;
    },
    stop: () => provider.shutdown(),
  };
}

class TracedSpan implements Span {
  readonly #tracer: OtelTracer;
  readonly #span: OtelSpan;

  constructor(tracer: OtelTracer, span: OtelSpan) {
    this.#tracer = tracer;
    this.#span = span;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  child(name: string, kind: 'internal' | 'client', attributes?: Attributes): Span {
    const context = trace.setSpan(ROOT_CONTEXT, this.#span);
    const options = { kind: kinds[kind], ...(attributes && { attributes }) };
    return new TracedSpan(this.#tracer, this.#tracer.startSpan(name, options, context));
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  end(error?: unknown): void {
    // a code or a name only: messages of the database quote values
    if (error !== undefined) this.#span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) });
    this.#span.end();
  }
}

function nameOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'error');
}
