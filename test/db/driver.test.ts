import { Socket } from 'node:net';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { DriverQuery, driverOf } from '../../src/db/access/driver.ts';
import { connectedDatabase } from '../support/database.ts';
import { shared } from '../support/shared.ts';

// The driver neither documents nor types these: a new version may lack them, or mean something else by them.

const { url, client } = await shared(connectedDatabase());

/** How many arguments each of some methods takes. */
function arities(of: object, names: readonly string[]): Record<string, number | undefined> {
  return Object.fromEntries(names.map((name) => [name, (Reflect.get(of, name) as { length?: number })?.length]));
}

describe('a client of the driver', () => {
  it('says which backend it has, and where', async () => {
    const { host, port, processID, secretKey } = driverOf(client);
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const { hostname, port: given } = new URL(url);
    expect([host, String(port), processID]).toEqual([hostname, given, rows[0].pid]);
    expect(secretKey).toEqual(expect.any(Number));
  });

  it('says which query is being answered', async () => {
    const driver = driverOf(client);
    const query = new pg.Query('select 1');
    const ended = new Promise((resolve) => query.on('end', resolve));
    client.query(query);
    expect(driver._getActiveQuery()).toBe(query);
    await ended;
    expect(driver._getActiveQuery() ?? null).toBeNull();
  });

  it('sends statements without waiting if it is told to', async () => {
    const driver = driverOf(client);
    expect(driver.pipeline).toBe(false);
    driver.pipeline = true;
    const answers = await Promise.all([1, 2].map((n) => client.query('select $1::int as n', [n])));
    driver.pipeline = false;
    expect(answers.map(({ rows }) => rows[0].n)).toEqual([1, 2]);
  });

  it('has a connection that knows its statements, and whose messages can be sent and seen', async () => {
    const { connection } = driverOf(client);
    expect(connection.stream).toBeInstanceOf(Socket);
    await client.query({ name: 'kept', text: 'select 1 as one' });
    expect(connection.parsedStatements).toMatchObject({ kept: 'select 1 as one' });
    const methods = [
      'attachListeners',
      'parse',
      'bind',
      'execute',
      'sync',
      'close',
      'query',
      'sendCopyFromChunk',
      'endCopyFrom',
      'sendCopyFail',
    ] as const;
    expect(arities(connection, methods)).toEqual({
      attachListeners: 1,
      parse: 1,
      bind: 1,
      execute: 1,
      sync: 0,
      close: 1,
      query: 1,
      sendCopyFromChunk: 1,
      endCopyFrom: 0,
      sendCopyFail: 1,
    });
    const seen: string[] = [];
    const { emit } = connection;
    connection.emit = (message, ...rest) => {
      seen.push(message);
      return emit.call(connection, message, ...rest);
    };
    await client.query({ text: 'select 1', queryMode: 'extended' } as pg.QueryConfig);
    connection.emit = emit;
    expect(seen.filter((each) => each !== 'message')).toEqual(
      expect.arrayContaining(['dataRow', 'commandComplete', 'readyForQuery']),
    );
  });

  it('has queries whose rows and end can be handled otherwise', async () => {
    const prototype = Object.getPrototypeOf(new DriverQuery('select 1', [], undefined));
    expect(arities(prototype, ['submit', 'handleDataRow', 'handleReadyForQuery', 'handleError'])).toEqual({
      submit: 1,
      handleDataRow: 1,
      handleReadyForQuery: 1,
      handleError: 2,
    });
    const lengths: number[] = [];
    class Watched extends DriverQuery {
      override handleDataRow(message: { length: number }): void {
        lengths.push(message.length);
        super.handleDataRow(message);
      }
    }
    const rows = await new Promise((resolve, reject) => {
      const query = new Watched('select $1::text as long', ['x'.repeat(1_000)], (error, result) =>
        error ? reject(error) : resolve(result?.rows),
      );
      query.queryMode = 'extended';
      expect(query._result.rows).toEqual([]);
      client.query(query);
    });
    expect(rows).toEqual([{ long: 'x'.repeat(1_000) }]);
    expect(lengths).toEqual([expect.closeTo(1_010, -2)]);
  });
});
