import { connect } from 'node:net';
import type { PoolClient } from 'pg';
import { driverOf } from './driver.ts';

/** Milliseconds that a server may take to process a cancel request. */
const patience = 2_000;

/** 80877102, followed by the process and its key (PostgreSQL 18, section 54.7, CancelRequest). */
const code = 0x04d2162e;

/**
 * Asks the server, over a separate connection, to cancel the statement of a connection. The server closes the separate
 * connection once it has processed the request, so that no later statement can be cancelled by it.
 *
 * @returns whether the server has processed the request; otherwise it may still be in flight
 */
export function cancelRunning(client: PoolClient): Promise<boolean> {
  const { host, port, processID, secretKey } = driverOf(client);
  const request = Buffer.alloc(16);
  request.writeInt32BE(request.length, 0);
  request.writeInt32BE(code, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(patience, () => socket.destroy());
    socket.once('connect', () => socket.write(request));
    socket.once('end', () => resolve(true));
    socket.once('error', () => undefined);
    socket.once('close', () => resolve(false));
    socket.resume();
  });
}
