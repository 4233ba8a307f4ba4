import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from './programs.ts';
import { startProgram } from './started-program.ts';

export type Pooler = Awaited<ReturnType<typeof startPgbouncer>>;

/**
 * Starts a PgBouncer in transaction mode before a server, with few connections to it, so that what one client does in a
 * session soon meets another client.
 *
 * @param settings further lines of its configuration
 */
export async function startPgbouncer(databaseUrl: string, settings: Record<string, string> = {}) {
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const port = await freePort();
  const options = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: '3',
    max_client_conn: '200',
    ...settings,
  };
  const target = `host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`;
  const lines = ['[databases]', `* = ${target}`, '[pgbouncer]'];
  const { stop } = await startProgram('pgbouncer', {
    configuration: () => [...lines, ...Object.entries(options).map(([name, value]) => `${name} = ${value}`)].join('\n'),
    arguments: (file) => [file],
    isReady: async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
      return true;
    },
    // it would wait for its clients
    end: 'SIGKILL',
    // it refuses to be root
    ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
  });
  /** The URL of a database, by way of the pooler. */
  const urlOf = (database: string) => {
    const url = new URL(database);
    url.host = `127.0.0.1:${port}`;
    return url.href;
  };
  return { urlOf, stop };
}
