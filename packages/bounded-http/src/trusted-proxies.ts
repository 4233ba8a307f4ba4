import type { IncomingMessage } from 'node:http';
import express from 'express';

/** Express's interpretation of `trust proxy`, for connections and requests before they reach it. */
export class TrustedProxies {
  readonly #app = express();

  constructor(setting: boolean | number | string[]) {
    this.#app.set('trust proxy', setting);
  }

  include(peer: string): boolean {
    return this.#app.get('trust proxy fn')(peer, 0);
  }

  /** The nearest address that is not a trusted proxy. */
  clientOf({ socket, headers }: IncomingMessage): string | undefined {
    return Reflect.get(this.#app.request, 'ip', { app: this.#app, socket, headers });
  }
}
