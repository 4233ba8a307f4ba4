import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Database } from '../engine/database.ts';
import type { Log } from '../kernel/request.ts';
import { watchBacklog } from './backlog-metrics.ts';
import { type ProcessState, watchProcess } from './process-metrics.ts';
import { countRequests } from './request-metrics.ts';

interface MetricsOptions extends ProcessState {
  db: Database;
  log: Log;
  /** 0 picks a free port. */
  port: number;
  host: string;
}

/**
 * Serves Prometheus metrics at `/metrics` on a separate port (docs/operate/observe.md).
 *
 * @throws Error if the port is taken
 */
export async function startMetrics(options: MetricsOptions): Promise<{ port: number; stop(): Promise<void> }> {
  const { db, log, port, host } = options;
  const registry = new Registry();
  // the event loop, memory and CPU of the process
  collectDefaultMetrics({ register: registry });
  const ends = [countRequests(registry), watchProcess(registry, options)];
  const readBacklog = watchBacklog(registry, db, log);
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    readBacklog()
      .then(() => registry.metrics())
      .then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        (error) => {
          log.error({ err: error }, 'cannot collect the metrics');
          response.writeHead(500).end();
        },
      );
  });
  await once(server.listen(port, host), 'listening').catch((error: Error) => {
    throw new Error(`Cannot serve metrics on ${host}:${port}: ${error.message}.`);
  });
  server.on('error', () => undefined);
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      for (const end of ends) end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      registry.clear();
    },
  };
}
