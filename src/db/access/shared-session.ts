import pg from 'pg';
import { type DriverConnection, driverOf } from './driver.ts';

/** Settings of a session by their names in PostgreSQL. */
export type SessionSettings = Record<string, string | number>;

/**
 * The first statement of a connection: applies the settings to the session, unless the session is shared. Behind a pooler it
 * returns no row and applies nothing, since the settings would leak to other clients: a pooler gives each client its own
 * cancel key (PostgreSQL 18, section 54.2.8), whose process id is not that of the backend.
 */
export function adoption(settings: SessionSettings): string {
  return `select ${assignments(settings, false)} where pg_backend_pid() = $1::int`;
}

/** Applies the settings to the current transaction. */
function localAssignment(settings: SessionSettings): string {
  return `select ${assignments(settings, true)}`;
}

function assignments(settings: SessionSettings, isLocal: boolean): string {
  return Object.entries(settings)
    .map(([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(String(value))}, ${isLocal})`)
    .join(', ');
}

/** Statements that cannot run in a transaction, not even in the implicit transaction of a message. */
const standalone = /^\s*(vacuum|(create\s+(unique\s+)?|drop\s+)index\s+concurrently)\b/i;

/**
 * Adapts a connection to a shared session, as behind a pooler in transaction mode (note 0027): the settings are sent with
 * each transaction, together with its first statement, and no statement is named.
 */
export function shareSession(client: pg.Client, settings: SessionSettings): void {
  const driver = driverOf(client);
  const { connection } = driver;
  const text = localAssignment(settings);
  const isIdle = () => client.getTransactionStatus() === 'I';

  const query = driver.query.bind(client);
  driver.query = (statement, ...rest) => query(adapted(statement, isIdle() ? text : null), ...rest);

  // everything before the next Sync is one transaction (section 54.2.4), which `begin` extends
  const parse = connection.parse.bind(connection);
  const skipAnswer = answerSkipper(connection);
  let sent = false;
  connection.parse = (message) => {
    if (isIdle() && !sent) {
      sent = true;
      parse({ name: '', text });
      connection.bind({ statement: '', values: [] });
      connection.execute();
      skipAnswer();
    }
    parse(message);
  };
  const sync = connection.sync.bind(connection);
  connection.sync = () => {
    sent = false;
    sync();
  };
}

/** Returns a function that drops the next result, which no query of the driver expects, unless it is an error. */
function answerSkipper(connection: DriverConnection): () => void {
  const emit = connection.emit.bind(connection);
  let skipping = false;
  connection.emit = (message, ...rest) => {
    if (skipping && (message === 'dataRow' || message === 'commandComplete')) {
      skipping = message === 'dataRow';
      return true;
    }
    if (message === 'errorMessage') skipping = false;
    return emit(message, ...rest);
  };
  return () => {
    skipping = true;
  };
}

/** `begin isolation …` must come before every other statement of its transaction, including the settings. */
const isolating = /^\s*begin\s+isolation\b/i;

/**
 * The statement without a name, and in the extended protocol if it begins a transaction.
 *
 * @param settings the statement that applies the settings; null if a transaction is open
 */
function adapted(statement: unknown, settings: string | null): unknown {
  if (typeof statement === 'object' && statement !== null && 'submit' in statement) {
    return Object.assign(statement, { name: '' });
  }
  const plain = typeof statement === 'string' ? { text: statement } : (statement as pg.QueryConfig);
  if (settings !== null && isolating.test(plain.text)) return { text: `${plain.text}; ${settings}` };
  const extended = settings !== null && !standalone.test(plain.text);
  return { ...plain, name: undefined, queryMode: extended ? 'extended' : undefined };
}
