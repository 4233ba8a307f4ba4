import { Pool } from 'undici';

/** One request as it goes out; neither path nor headers are made well-formed first. */
export interface Sent {
  method: string;
  path: string;
  /** Names and values in turn, so that a name can come twice. */
  headers: string[];
  body?: string | Uint8Array | undefined;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  body: unknown;
}

/** What a run has asked and got. */
export interface Counts {
  requests: number;
  limited: number;
  byStatus: Record<string, number>;
  /** What both faces answered without refusing it, by what it was. */
  compared: Record<string, number>;
}

/** The ways to the services, shared by all batches of a run. */
export class Line {
  readonly counts: Counts = { requests: 0, limited: 0, byStatus: {}, compared: {} };
  readonly #pools: Pool[];

  constructor(urls: readonly string[]) {
    const options = {
      ...{ connections: 24, bodyTimeout: 20_000, headersTimeout: 20_000 },
      // far below the service's, which may close an idle connection just as a request goes out on it
      ...{ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 },
    };
    this.#pools = urls.map((url) => new Pool(url, options));
  }

  /**
   * Asks one of the services.
   *
   * @throws Error if the answer is the service's failure, or says nothing that can be read
   */
  async send(service: number, { method, path, headers, body }: Sent): Promise<Answer> {
    const pool = this.#pools[service % this.#pools.length] as Pool;
    const began = performance.now();
    const lost = (error: unknown) => {
      const ms = Math.round(performance.now() - began);
      throw new Error(`no answer from ${service % this.#pools.length} to ${method} ${path} after ${ms} ms: ${error}`);
    };
    const response = await pool.request({ method: method as 'GET', path, headers, body: body ?? null }).catch(lost);
    const text = await response.body.text().catch(lost);
    const { statusCode: status } = response;
    this.counts.requests += 1;
    this.counts.byStatus[status] = (this.counts.byStatus[status] ?? 0) + 1;
    if (status === 429 || text.includes('"code":"RATE_LIMITED"')) this.counts.limited += 1;
    if (status >= 500 || /"code":"(INTERNAL_SERVER_ERROR|SERVICE_UNAVAILABLE)"/.test(text)) {
      throw new Error(`the service failed: ${status} to ${method} ${path}: ${text.slice(0, 500)}`);
    }
    return { status, headers: response.headers, text, body: readJson(response.headers['content-type'], text) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
  }
}

/** @throws SyntaxError if what calls itself JSON is none */
function readJson(type: string | string[] | undefined, text: string): unknown {
  return text !== '' && /[/+]json/.test(String(type)) ? JSON.parse(text) : null;
}
