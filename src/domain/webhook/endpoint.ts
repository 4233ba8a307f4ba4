/** A request to the endpoint of a webhook. */
export interface EndpointRequest {
  url: string;
  headers: Record<string, string>;
  /** JSON. */
  body: string;
}

/** What came back from an endpoint, or why nothing did. */
export interface EndpointAnswer {
  /** Whether a status of 2xx arrived in time. */
  delivered: boolean;
  /** Null if no answer arrived. */
  http_status: number | null;
  duration_ms: number;
  /** What went wrong, in words; null if it was delivered. */
  error: string | null;
  /** The beginning of the answer's body; null if there was no answer. */
  response: string | null;
  /** The seconds that an answer of 429 or 503 asks to wait. */
  retryAfter: number | null;
}

/**
 * The domain's port to the endpoints of webhooks, implemented in `src/outbound`. Never throws, except for the reason of
 * the signal if that aborts.
 */
export type SendToEndpoint = (request: EndpointRequest, signal?: AbortSignal) => Promise<EndpointAnswer>;

/** Seconds for an answer to begin (interface/webhooks.md#answers). */
export const answerSeconds = 15;
