import type { Client } from 'pg';
import { KeptStatements } from './kept-statements.ts';

/** They are few and come again. */
const kept = new KeptStatements();
/** Longer ones insert many rows at once: their text depends on how many. */
const maxLength = 4_096;

/** What the driver's own `query` accepts; a promise of the result if there is no callback. */
type Query = (statement: unknown, ...rest: unknown[]) => unknown;

/**
 * Saves round trips and plans of transactions: `begin` also sets their statement timeout, and connections keep the
 * statements with parameters that come as text: those of the ORM, of commands and of the counters of limits.
 *
 * @param statementTimeout milliseconds
 * @param ownsSession false behind a pooler, where no statement may have a name and `begin` must stand alone
 */
export function prepareWrites(client: Client, statementTimeout: number, ownsSession: boolean): void {
  const driver = client as unknown as { query: Query };
  const query = driver.query.bind(client);
  driver.query = (statement, ...rest) => {
    if (statement === 'begin') return begin(query, statementTimeout, ownsSession, rest);
    return query(ownsSession ? named(statement, rest[0]) : statement, ...rest);
  };
}

function begin(query: Query, timeout: number, ownsSession: boolean, rest: unknown[]): unknown {
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

/** The name under which connections keep a statement of a transaction; empty if they do not. */
export function keptName(text: string, values: readonly unknown[]): string {
  return (values.length > 0 && text.length <= maxLength && kept.find(text, null)?.name) || '';
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
