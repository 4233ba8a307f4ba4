import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { ClientBase, ClientConfig, Pool, PoolConfig, QueryConfig, QueryResultRow } from 'pg';
import pg, { Client } from 'pg';
import { ConnectionFailure, type DriverClient, driverOf, endTimeout, type Settle } from './driver.ts';
import { Execution, localSettings, type Settings } from './execution.ts';

/**
 * Reads a URL of libpq like `postgres://user@a:5432,b:5432/name?target_session_attrs=read-write`, which is no URL by the standard:
 * the URL of each server, and which of them will do; null for any.
 */
export function postgresServers(url: string): { urls: [string, ...string[]]; attributes: string | null } {
  const [, scheme = '', authority = '', rest = ''] = /^(\w+:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? ['', '', '', url];
  const hosts = authority.lastIndexOf('@') + 1;
  const [first = '', ...others] = authority
    .slice(hosts)
    .split(',')
    .map((host) => `${scheme}${authority.slice(0, hosts)}${host}${rest}`);
  const attributes = /[?&]target_session_attrs=([^&#]*)/.exec(rest)?.[1] ?? null;
  return { urls: [first, ...others], attributes };
}

/** A pooler in transaction mode: one that keeps named statements, as PgBouncer does since 1.21, or one that does not. */
export type Pooler = 'transaction' | 'transaction-unnamed';

export interface SessionClientConfig extends ClientConfig {
  /** The current URL, if it may change. */
  locate?: (() => string) | undefined;
  /** Settings for all statements of the connection. */
  session?: Settings;
  /** The statement timeout in transactions, in milliseconds, if it differs from that of other statements. */
  writeTimeout?: number;
  /** Milliseconds after which a connection with an unfinished query is closed; longer than the server's timeouts. */
  silenceTimeout?: number;
  /** Null if none. */
  pooler?: Pooler | null;
}

/** By a URL of several servers, that of the one that was last known to be the primary; a standby may be promoted. */
const current = new Map<string, string>();

/** A connection whose statements have our settings, also behind a pooler, and that is closed if the server is silent. */
export class SessionClient extends Client {
  /** Statements that set what a transaction has and the session does not. */
  readonly transactionSettings: string;
  /** Makes new connections go to another server, unless they already do. */
  readonly #leave: () => void;
  /** Whether a standby will not do. */
  readonly #needsPrimary: boolean;
  readonly #silenceTimeout: number | undefined;

  constructor(config: SessionClientConfig = {}) {
    const given = config.locate?.() ?? config.connectionString ?? '';
    const { urls, attributes } = postgresServers(given);
    const url = current.get(given) ?? urls[0];
    super(given === '' ? config : { ...config, connectionString: url });
    this.#needsPrimary = attributes !== null;
    this.#leave = () => {
      if ((current.get(given) ?? urls[0]) === url)
        current.set(given, urls[(urls.indexOf(url) + 1) % urls.length] ?? url);
    };
    this.#silenceTimeout = config.silenceTimeout;
    const { session = {}, writeTimeout, pooler = null } = config;
    const settings = { ...(pooler && session), ...(writeTimeout && { statement_timeout: writeTimeout }) };
    const statements = Object.entries(settings).map(([name, value]) => `; set local ${name} = '${value}'`);
    this.transactionSettings = statements.join('');
    if (pooler) sendWithStatements(this, session, pooler);
    else sendAtStart(driverOf(this), session);
    endOnMalformed(driverOf(this));
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))));
    }
    let isStandby = false;
    // since version 14, PostgreSQL says so at the start of a session
    driverOf(this).connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') isStandby = this.#needsPrimary && parameterValue === 'on';
    });
    super.connect((failure: Error) => {
      const error = failure ?? (isStandby ? new Error('the server is a standby') : failure);
      if (!failure && error) void this.end();
      if (error) this.#leave();
      if (!error && this.#silenceTimeout) endSilence(driverOf(this), this.#silenceTimeout);
      callback(error && new ConnectionFailure(error));
    });
  }

  /** Closes the connection even if the server does not respond: an open socket would keep the process alive. */
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    const { stream } = driverOf(this).connection;
    const timer = setTimeout(() => stream.destroy(), endTimeout).unref();
    this.once('end', () => clearTimeout(timer));
    if (!callback) return super.end();
    super.end(callback);
  }
}

/** The statements that begin a transaction with its settings, to be sent as one text. */
export function beginning(client: ClientBase, mode = ''): string {
  return `begin ${mode}${client instanceof SessionClient ? client.transactionSettings : ''}`;
}

/** The settings come after the options of the URL, which they override. */
function sendAtStart({ connectionParameters: parameters }: DriverClient, session: Settings): void {
  const settings = Object.entries(session).map(([name, value]) => `-c ${name}=${value}`);
  parameters.options = [parameters.options ?? '', ...settings].join(' ').trim();
}

/** Behind a pooler nothing may be left in a session, so every query becomes an {@link Execution}. */
function sendWithStatements(client: ClientBase, session: Settings, pooler: Pooler): void {
  const shared = { settings: localSettings(session), keepsNames: pooler === 'transaction' };
  const driver = driverOf(client);
  const query = driver.query.bind(client);
  driver.query = (given, ...rest) => {
    if (given instanceof Execution) given.session = shared;
    const config = typeof given === 'string' ? { text: given } : (given as QueryConfig);
    if ('submit' in config || /^(begin|commit|rollback)\b/.test(config.text)) return query(given, ...rest);
    const { text, values = rest.find(Array.isArray) ?? [], name = '' } = config;
    const run = (settle: Settle) => {
      // unknown before the first statement
      const inTransaction = (client.getTransactionStatus() ?? 'I') !== 'I';
      const execution = new Execution({ sql: text, parameters: values, name }, { inTransaction }, settle);
      query(Object.assign(execution, config, { session: shared }));
    };
    const settle = rest.find((each) => typeof each === 'function') as Settle | undefined;
    if (settle) return run(settle);
    return new Promise((resolve, reject) => run((error, result) => (error ? reject(error) : resolve(result))));
  };
}

/** Closes a connection on a malformed message: the driver's parser throws where nothing can catch it. */
function endOnMalformed({ connection }: DriverClient): void {
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    attach(stream);
    for (const read of stream.listeners('data') as ((bytes: Buffer) => void)[]) {
      stream.off('data', read);
      stream.on('data', (bytes: Buffer) => {
        try {
          read(bytes);
        } catch (error) {
          stream.destroy(new Error(`Connection terminated: malformed message from the database: ${error}`));
        }
      });
    }
  };
}

/** One timer per connection costs less than one per query. */
function endSilence(client: DriverClient, timeout: number): void {
  const { stream } = client.connection;
  stream.setTimeout(timeout, () => {
    if (client._getActiveQuery()) stream.destroy(new Error('Connection terminated: the database stopped responding'));
  });
}

/** Asks a server that may hang. A connection that does not answer is closed. @throws Error after the milliseconds */
export async function askInTime<Row extends QueryResultRow>(
  pool: Pool,
  question: QueryConfig,
  milliseconds: number,
): Promise<Row[]> {
  const late = async () => {
    await sleep(milliseconds, undefined, { ref: false });
    // if this process was blocked, the response may already have arrived
    await turn();
    throw new Error(`no response within ${milliseconds} ms`);
  };
  const asked = { ...question, query_timeout: milliseconds };
  return (await Promise.race([pool.query<Row>(asked), late()])).rows;
}

/** A pool that survives the loss of its connections. */
export function openPool(options: PoolConfig, warn?: (message: string) => void): Pool {
  const pool = new pg.Pool(options);
  reportLosses(pool, warn);
  return pool;
}

/**
 * Reports each lost connection once. The driver emits `error` on the client, and on the pool if the connection is idle; without
 * a listener, either event ends the process.
 */
export function reportLosses(pool: Pool, warn: (message: string) => void = () => undefined): void {
  pool.on('connect', (client) => {
    client.once('error', ({ message }) => warn(`lost a connection to the database: ${message}`));
    client.on('error', () => undefined);
  });
  pool.on('error', () => undefined);
}
