import { Client, type ClientConfig } from 'pg';
import { ConnectionFailure } from './connection-failure.ts';
import { driverOf } from './driver.ts';
import { keepsOurs, prepareOursSql } from './our-statements.ts';
import { type PrimaryServer, primaryServer } from './primary-server.ts';
import { adoption, type SessionSettings, shareSession } from './shared-session.ts';

/** Milliseconds that a server has to close a connection that we end. */
const closeTimeout = 2_000;

/**
 * A connection of the driver that applies our settings to its session, and is closed if the server stops responding.
 *
 * It detects whether a pooler shares the session, and works in that case as well (note 0027).
 */
export class SessionClient extends Client {
  readonly #settings: SessionSettings;
  readonly #writeTimeout: number | undefined;
  readonly #silenceTimeout: number | undefined;
  readonly #primary: PrimaryServer | null;
  readonly #url: string | undefined;
  #ownsSession = true;

  constructor(config?: SessionClientConfig) {
    const primary = config?.connectionString ? primaryServer(config.connectionString) : null;
    const url = primary?.url ?? config?.connectionString;
    super(primary ? { ...config, connectionString: primary.url } : config);
    this.#primary = primary;
    this.#url = url;
    this.#settings = config?.session ?? {};
    this.#writeTimeout = config?.writeTimeout;
    this.#silenceTimeout = config?.silenceTimeout;
    endOnMalformed(this);
  }

  /** Whether session state such as `listen` persists between statements; known once connected. */
  get ownsSession(): boolean {
    return this.#ownsSession;
  }

  /** The statements that begin a transaction with its statement timeout, in one round trip if the session is its own. */
  get beginning(): readonly string[] {
    const timeout = this.#writeTimeout;
    if (!timeout) return ['begin'];
    if (this.#ownsSession) return [`begin; set local statement_timeout = ${timeout}`];
    // a pooler must see `begin` alone
    return ['begin', `select set_config('statement_timeout', '${timeout}', true)`];
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))));
    }
    const done = (error: Error) => {
      if (error && this.#url) this.#primary?.leave(this.#url);
      callback(error && new ConnectionFailure(error));
    };
    const isStandby = this.#primary?.required ? watchForStandby(this) : () => false;
    super.connect((failure: Error) => {
      const error = failure ?? (isStandby() ? new Error('the server is a standby') : failure);
      if (!failure && error) void this.end();
      if (!error && this.#silenceTimeout) endSilence(this, this.#silenceTimeout);
      if (error || Object.keys(this.#settings).length === 0) done(error);
      else this.#adopt(done);
    });
  }

  /** Closes the connection even if the server does not respond: an open socket would keep the process alive. */
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    const { stream } = driverOf(this).connection;
    const timer = setTimeout(() => stream.destroy(), closeTimeout).unref();
    this.once('end', () => clearTimeout(timer));
    if (!callback) return super.end();
    super.end(callback);
  }

  #adopt(callback: (error: Error) => void): void {
    const { processID } = driverOf(this);
    // the pool does not listen for errors before it has the connection; the query reports them
    const ignore = () => undefined;
    this.on('error', ignore);
    this.query(adoption(this.#settings), [processID], (error, result) => {
      this.#ownsSession = result?.rowCount === 1;
      if (error) void this.end();
      else if (!this.#ownsSession) shareSession(this, this.#settings);
      const done = (failure: Error) => {
        callback(failure);
        this.off('error', ignore);
      };
      if (!error && this.#ownsSession) this.#prepare(done);
      else done(error);
    });
  }

  #prepare(callback: (error: Error) => void): void {
    this.query(prepareOursSql, (error) => {
      if (error) void this.end();
      else keepsOurs(this);
      callback(error);
    });
  }
}

export interface SessionClientConfig extends ClientConfig {
  /** Settings for all statements of the connection. */
  session?: SessionSettings;
  /** The statement timeout in transactions, in milliseconds, if it differs from that of other statements. */
  writeTimeout?: number;
  /**
   * Milliseconds after which a connection with an unfinished query is closed: longer than the server's timeouts, so that the
   * server itself must be gone. One timer per connection, since one per query costs more.
   */
  silenceTimeout?: number;
}

/** Whether the server says at the start of a session that it is a standby; PostgreSQL does since version 14. */
function watchForStandby(client: Client): () => boolean {
  let isStandby = false;
  driverOf(client).connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (parameterName === 'in_hot_standby') isStandby = parameterValue === 'on';
  });
  return () => isStandby;
}

/** Closes a connection that sends malformed messages: the driver's parser would throw where nothing can catch the error. */
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
          stream.destroy(new Error(`Connection terminated: malformed message from the database: ${reason}`));
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
