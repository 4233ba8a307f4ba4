import { expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { toDomainError } from '../../src/db/errors.ts';
import { createTestDatabase, openOrm } from '../support/database.ts';
import { listenBefore } from '../support/database-passage.ts';
import { shared } from '../support/shared.ts';
import { sql } from '../support/sql.ts';

/** A DataRow of two columns, the first of which would be longer than the message (PostgreSQL 18, section 54.7). */
const malformed = Buffer.from('D\0\0\0\x0b\0\x02\x0f\0\0\0a', 'latin1');

let damages = false;
const database = await shared(createTestDatabase());
const passage = await shared(
  listenBefore(database.url, (client, upstream) => {
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => client.write(damages ? malformed : bytes));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }),
);
const { orm } = await shared(openOrm({ url: passage.url }));

// an exception of the driver's parser ends the process
it('a message that cannot be read costs its connection, and the next one serves', async () => {
  const db = new PostgresDatabase(orm);
  const ask = () => db.rows<{ one: number }>(sql`select 1 as one`);
  expect(await ask()).toEqual([{ one: 1 }]);
  damages = true;
  const failure = await ask().catch(toDomainError);
  damages = false;
  expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await ask()).toEqual([{ one: 1 }]);
  damages = true;
  expect(await db.transaction(ask).catch(toDomainError)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  damages = false;
  expect(await ask()).toEqual([{ one: 1 }]);
});
