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

  it('says whether it sends statements without waiting for answers', async () => {
    expect(driverOf(client).pipeline).toBe(false);
    const pipelined = new pg.Client({ connectionString: url, pipeline: true });
    await pipelined.connect();
    expect(driverOf(pipelined).pipeline).toBe(true);
    await pipelined.end();
  });

  it('has options from its URL, which may be changed before it connects', async () => {
    const given = new pg.Client({ connectionString: `${url}?options=-c%20work_mem=1MB` });
    const { connectionParameters } = driverOf(given);
    expect(connectionParameters.options).toBe('-c work_mem=1MB');
    connectionParameters.options += ' -c statement_timeout=7000';
    await given.connect();
    const { rows } = await given.query(
      "select current_setting('work_mem') || current_setting('statement_timeout') as set",
    );
    expect(rows).toEqual([{ set: '1MB7s' }]);
    await given.end();
  });

  it('has a connection that knows its statements, and whose messages can be sent and seen', async () => {
    const { connection } = driverOf(client);
    expect(connection.stream).toBeInstanceOf(Socket);
    await client.query({ name: 'kept', text: 'select 1 as one' });
    expect(connection.parsedStatements).toMatchObject({ kept: 'select 1 as one' });
    expect(connection.submittedNamedStatements).toEqual({});
    const methods = ['attachListeners', 'parse', 'bind', 'execute', 'close'] as const;
    expect(arities(connection, methods)).toEqual({ attachListeners: 1, parse: 1, bind: 1, execute: 1, close: 1 });
  });

  it('has queries whose rows and end can be handled otherwise', async () => {
    const prototype = Object.getPrototypeOf(new DriverQuery('select 1', [], undefined));
    expect(
      arities(prototype, ['submit', 'handleDataRow', 'handleCommandComplete', 'handleReadyForQuery', 'handleError']),
    ).toEqual({
      submit: 1,
      handleDataRow: 1,
      handleCommandComplete: 2,
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
