import type { IncomingMessage } from 'node:http';
import cors from 'cors';
import { isLoopbackHost } from '../http/loopback.ts';
import { DomainError } from '../kernel/errors.ts';

export interface SharedOriginsOptions {
  /** Those of `CORS_ORIGINS`. */
  named: readonly string[];
  /** Whether pages on this machine may call, from any port. */
  local: boolean;
}

/** Lets pages of other origins call (reference/sign-in.md#requests-from-other-sites). */
export class SharedOrigins {
  readonly #named: ReadonlySet<string>;
  readonly #local: boolean;
  /** Sets the headers for an origin that may call, and answers its preflight. */
  readonly share: ReturnType<typeof cors>;

  constructor({ named, local }: SharedOriginsOptions) {
    this.#named = new Set(named.map((each) => new URL(each).origin));
    this.#local = local;
    this.share = cors({
      origin: (origin, answer) => answer(null, origin !== undefined && this.allows(origin)),
      credentials: true,
      exposedHeaders: [
        ...['etag', 'location', 'idempotency-replayed', 'x-count-exact'],
        ...[
          'content-disposition',
          'retry-after',
          'ratelimit',
          'ratelimit-policy',
          'x-request-id',
          'deprecation',
          'sunset',
        ],
      ],
      maxAge: 600,
    });
  }

  allows(origin: string): boolean {
    return this.#named.has(origin) || (this.#local && isLocalOrigin(origin));
  }

  /** Why a preflight is refused; the browser shows it to the page's developer. */
  refusal({ method, headers }: IncomingMessage): DomainError | null {
    const { origin } = headers;
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (!isPreflight || origin === undefined || this.allows(origin)) return null;
    const detail = 'Pages of this origin may not send requests here: the setting CORS_ORIGINS does not name it.';
    return new DomainError('CROSS_SITE', { detail });
  }
}

function isLocalOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { origin: canonical, protocol, hostname } = new URL(origin);
  return canonical === origin && (protocol === 'http:' || protocol === 'https:') && isLoopbackHost(hostname);
}
