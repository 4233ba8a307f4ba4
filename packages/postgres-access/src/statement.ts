import { hash } from 'node:crypto';
import { type Compilable, Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { ClientBase } from 'pg';

/** A compiled statement with its bound parameters. */
export interface Statement<Row = unknown> {
  sql: string;
  parameters: readonly unknown[];
  /** Under which connections keep it prepared. */
  name?: string;
  /** The type of its rows; it has no value. */
  readonly row?: Row;
}

/** Builds statements, which a {@link Database} runs. */
export function statementBuilder<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('only builds')) }) });
}

/** The stand-in for the values of a statement while it is built: symbols with their names. */
const slots = new Proxy(
  {},
  {
    get: (_target, name) => Symbol(String(name)),
    ownKeys: () => {
      throw new Error('A prepared statement must name each of its values.');
    },
  },
);

type Built<Row> = Compilable<Row> | RawBuilder<Row>;

const compiler = statementBuilder<never>();

/** The row of a {@link prepared} statement. */
export type RowOf<Build> = Build extends (values: never) => Statement<infer Row> ? Row : never;

/** For the test that has PostgreSQL plan them all. */
export const preparedStatements: (() => Statement)[] = [];

/**
 * A statement that is compiled once, and that connections keep prepared. Its text must not depend on its values. Limits and
 * constants of partial indexes are `sql.lit`: PostgreSQL plans without values of parameters.
 */
export function prepared<Values extends object, Row>(
  build: (at: Values) => Built<Row>,
): (values: Values) => Statement<Row> {
  let compiled: Statement<Row> | undefined;
  const compile = () => {
    if (!compiled) {
      compiled = built(build(slots as Values));
      compiled.name = hash('sha256', compiled.sql).slice(0, 32);
    }
    return compiled;
  };
  preparedStatements.push(compile);
  return (values) => filled(compile(), values);
}

function filled<Row>(compiled: Statement<Row>, values: object): Statement<Row> {
  const given = ({ description = '' }: symbol) => (values as Record<string, unknown>)[description];
  return {
    ...compiled,
    parameters: compiled.parameters.map((each) => (typeof each === 'symbol' ? given(each) : each)),
  };
}

/** By key; bounded by the length of all texts. */
const shapes = new LRUCache<string, Statement>({ maxSize: 8_000_000, sizeCalculation: ({ sql }) => sql.length });

/**
 * A statement whose text depends on more than can be prepared, such as the columns that a client selects: the latest shapes
 * are kept compiled. All its values are slots, so that a text never contains a value of another request.
 *
 * @param key everything that the text depends on
 */
export function shaped<Values extends object, Row>(
  key: string,
  values: Values,
  build: (at: Values) => Built<Row>,
): Statement<Row> {
  let compiled = shapes.get(key);
  if (!compiled) {
    compiled = built(build(slots as Values));
    if (!compiled.parameters.every((each) => typeof each === 'symbol'))
      throw new Error(`a value is part of the shape ${key}`);
    shapes.set(key, compiled);
  }
  return filled(compiled as Statement<Row>, values);
}

/** A statement that is compiled each time: its text depends on its values, or it rarely runs. */
export function built<Row>(query: Built<Row>): Statement<Row> {
  const { sql: text, parameters } = query.compile(compiler);
  return { sql: text, parameters };
}

/** Runs a statement on a client of the driver, without the limits of requests. */
export async function rowsOn<Row>(
  client: Pick<ClientBase, 'query'>,
  { sql, parameters }: Statement<Row>,
): Promise<Row[]> {
  return (await client.query(sql, [...parameters])).rows as Row[];
}

/** No text. */
export const empty = sql.raw<never>('');
