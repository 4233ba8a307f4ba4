import { Client, type ClientConfig } from 'pg';
import { ConnectionFailure } from './connection-failure.ts';
import { type DriverClient, driverOf } from './driver.ts';
import { keptName } from './kept-statements.ts';
import { adoption, type SessionSettings, shareSession } from './shared-session.ts';

/** Milliseconds that a server may take to close a connection that we end. */
const farewell = 2_000;

/**
 * A connection of the driver that gives its session our settings, and is given up if the server stops responding.
 *
 * It detects whether a pooler shares its session, and works in that case as well (note 0027).
 */
export class SessionClient extends Client {
  readonly #settings: SessionSettings;
  readonly #writeTimeout: number | undefined;
  readonly #silenceTimeout: number | undefined;
  #ownsSession = true;

  constructor(config?: SessionClientConfig) {
    super(config);
    this.#settings = config?.session ?? {};
    this.#writeTimeout = config?.writeTimeout;
    this.#silenceTimeout = config?.silenceTimeout;
    endOnMalformed(this);
  }

  /** Whether session state such as `listen` persists between statements; known once connected. */
  get ownsSession(): boolean {
    return this.#ownsSession;
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))));
    }
    const done = (error: Error) => callback(error && new ConnectionFailure(error));
    super.connect((error: Error) => {
      if (!error && this.#silenceTimeout) endSilence(this, this.#silenceTimeout);
      if (error || Object.keys(this.#settings).length === 0) done(error);
      else this.#adopt(done);
    });
  }

  /** Closes the connection, also if the server does not: a socket to one that hangs would keep the process alive. */
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    const { stream } = driverOf(this).connection;
    const timer = setTimeout(() => stream.destroy(), farewell).unref();
    this.once('end', () => clearTimeout(timer));
    if (!callback) return super.end();
    super.end(callback);
  }

  #adopt(callback: (error: Error) => void): void {
    const { processID } = driverOf(this);
    // the pool does not listen for errors before the connection is handed over; the query fails with it
    const ignore = () => undefined;
    this.on('error', ignore);
    this.query(adoption(this.#settings), [processID], (error, result) => {
      this.#ownsSession = result?.rowCount === 1;
      if (error) void this.end();
      else if (!this.#ownsSession) shareSession(this, this.#settings);
      if (!error && this.#writeTimeout) prepareWrites(this, this.#writeTimeout, this.#ownsSession);
      callback(error);
      this.off('error', ignore);
    });
  }
}

export interface SessionClientConfig extends ClientConfig {
  /** Settings for all statements of the connection. */
  session?: SessionSettings;
  /** Milliseconds that a statement of a transaction may take, if it is not the same as for others; see `prepareWrites`. */
  writeTimeout?: number;
  /**
   * Milliseconds after which an unfinished query and its connection are given up: longer than the server's time-outs, so
   * that the server itself must be gone. One timer per connection, since one per query costs more.
   */
  silenceTimeout?: number;
}

/** Gives up a connection whose bytes cannot be read: the driver's parser would throw where nobody can catch it. */
function endOnMalformed(client: Client): void {
  const { connection } = driverOf(client);
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    attach(stream);
    for (const read of stream.listeners('data') as ((bytes: Buffer) => void)[]) {
      stream.off('data', read);
      stream.on('data', (bytes: Buffer) => {
        try {
          read(bytes);
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          stream.destroy(new Error(`Connection terminated: a message of the database cannot be read: ${reason}`));
        }
      });
    }
  };
}

function endSilence(client: Client, timeout: number): void {
  const driver = driverOf(client);
  let seen: object | null = null;
  let since = 0;
  const timer = setInterval(() => {
    const active = driver._getActiveQuery() ?? null;
    if (active === null || active !== seen) {
      seen = active;
      since = performance.now();
    } else if (performance.now() - since > timeout) {
      driver.connection.stream.destroy(new Error('Connection terminated: the database stopped responding'));
    }
  }, timeout / 4);
  timer.unref();
  client.once('end', () => clearInterval(timer));
}

/**
 * Saves round trips and plans of transactions: `begin` also sets their statement timeout, and connections keep the
 * statements with parameters that come as text: those of the ORM, of commands and of the counters of limits.
 *
 * @param statementTimeout milliseconds
 * @param ownsSession false behind a pooler, where no statement may have a name and `begin` must stand alone
 */
function prepareWrites(client: Client, statementTimeout: number, ownsSession: boolean): void {
  const driver = driverOf(client);
  const query = driver.query.bind(client);
  driver.query = (statement, ...rest) => {
    if (statement === 'begin') return begin(query, statementTimeout, ownsSession, rest);
    return query(ownsSession ? named(statement, rest[0]) : statement, ...rest);
  };
}

function begin(query: DriverClient['query'], timeout: number, ownsSession: boolean, rest: unknown[]): unknown {
  if (ownsSession) return query(`begin; set local statement_timeout = ${timeout}`, ...rest);
  const begun = query('begin', ...rest);
  const set = query(`select set_config('statement_timeout', '${timeout}', true)`);
  // if it fails, so does every other statement of the transaction
  if (set instanceof Promise) set.catch(() => undefined);
  return begun;
}

/** The statement under a name, if it is a text that connections keep; the driver takes its values from either place. */
function named(statement: unknown, given: unknown): unknown {
  const config = typeof statement === 'string' ? { text: statement, values: given } : statement;
  if (!isPlain(config)) return statement;
  const name = keptName(config.text, config.values);
  return name === '' ? statement : { ...config, name };
}

interface Plain {
  text: string;
  values: unknown[];
}

/** Whether it is a statement with values, and neither one that has a name already nor one that submits itself. */
function isPlain(config: unknown): config is Plain {
  if (typeof config !== 'object' || config === null || 'submit' in config || 'name' in config) return false;
  const { text, values } = config as Partial<Plain>;
  return typeof text === 'string' && Array.isArray(values);
}
