import { afterAll, beforeAll, beforeEach } from 'vitest';
import { withClient } from '../../src/db/client.ts';
import { type ImportSummary, importDocument } from '../../src/db/import/import.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** For what has to have a progress that nobody sees. */
export const silent = { begin: () => undefined, advance: () => undefined, end: () => undefined };

/** A database for the tests of a file, empty before each of them. */
export function useImports() {
  let database: TestDatabase;
  const select = <Row>(statement: string): Promise<Row[]> =>
    database.orm.em.getConnection().execute(statement) as Promise<Row[]>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(() => select('truncate organization, "user" cascade'));
  afterAll(() => database.drop());
  return {
    select,
    /** Imports a document, which may also be its text. */
    importRows: (document: object | string) => importInto(database.url, document),
  };
}

export function importInto(databaseUrl: string, document: object | string): Promise<ImportSummary> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return withClient(databaseUrl, (client) => importDocument(client, Buffer.from(text), silent));
}

/** One row of every section, with no more than it must have. */
export const organization = { id: '0192aaaa-0000-7000-8000-000000000001', name: 'Harbour Arts' };
export const user = { id: '0192aaaa-0000-7000-8000-0000000000a1', email: 'Ada@Example.org', name: 'Ada' };
export const event = {
  id: '0192aaaa-0000-7000-8000-0000000000e1',
  organization_id: organization.id,
  name: 'Spring Fête',
  date_start: '2026-05-01T18:00:00+02:00',
  date_end: '2026-05-01T20:00:00Z',
};
export const subscription = { id: '0192aaaa-0000-7000-8000-0000000000f1', event_id: event.id, user_id: user.id };
export const membership = { organization_id: organization.id, user_id: user.id, role: 'owner' };
export const all = {
  organizations: [organization],
  users: [user],
  memberships: [membership],
  events: [event],
  subscriptions: [subscription],
};
