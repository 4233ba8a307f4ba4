import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';

/** Makes the roles that `ops/postgres/row-security.sql` expects, and gives them a password. */
export const rolesOfTests = [
  'create role events_owner',
  `create role events_service login password 'of-tests'`,
  `create role events_scoped login noinherit password 'of-tests'`,
  // so that several files at once do not
  'grant events_service to events_scoped',
];

/** Lets the tests see and end what the service does, although it has another role than they. */
export const rightsOfTests = ['grant pg_read_all_stats, pg_signal_backend to events_gateway'];

/** Whether the whole service of each test has row-level security: `TEST_ROW_SECURITY=on npx vitest run …`. */
export const securesRows = process.env.TEST_ROW_SECURITY === 'on';

/** The statements of a file of `ops/postgres`; a blank line separates them. */
export async function statementsOf(name: string): Promise<string[]> {
  const text = await readFile(path.join('ops/postgres', name), 'utf8');
  return text.split(/(?<=;)\n\n/);
}

/** Runs a file of `ops/postgres` as psql does: each statement by itself. */
export async function runFile(name: string, url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of await statementsOf(name)) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The URL of a database of the tests, as another role. */
export function urlAs(role: 'superuser' | 'events_service' | 'events_scoped', databaseUrl: string): string {
  const { username, password } =
    role === 'superuser' ? new URL(inject('superuserUrl')) : { username: role, password: 'of-tests' };
  return Object.assign(new URL(databaseUrl), { username, password }).href;
}

/**
 * Turns row-level security on in a database, of the tests unless a superuser's URL of it is given; returns its URL as the
 * role that it holds for.
 */
export async function secureRows(databaseUrl: string, superuserUrl = urlAs('superuser', databaseUrl)): Promise<string> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query('grant usage on schema public to events_service');
    await client.query('grant select, insert, update, delete on all tables in schema public to events_service');
    await client.query('grant usage on all sequences in schema public to events_service');
  } finally {
    await client.end();
  }
  await runFile('row-security.sql', superuserUrl);
  return urlAs('events_scoped', databaseUrl);
}
