import { hash } from 'node:crypto';
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import { raw, type Sql } from 'sql-template-tag';
import type { Statement } from './database.ts';

/** Builds statements, which the {@link Database} runs. */
export function statementBuilder<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/** Where a compiled statement gets a value. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The stand-in for the values of a statement while it is built. */
const slots = new Proxy(
  {},
  {
    get: (_target, name) => new Slot(String(name)),
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
  let compiled: Required<Omit<Statement, 'row'>> | undefined;
  const compile = () => {
    if (compiled) return compiled;
    const { sql: text, parameters } = build(slots as Values).compile(compiler);
    compiled = { sql: text, parameters, name: hash('sha256', text).slice(0, 32) };
    return compiled;
  };
  preparedStatements.push(compile);
  return (values) => {
    const { sql: text, parameters, name } = compile();
    const given = parameters.map((each) => (each instanceof Slot ? values[each.name as keyof Values] : each));
    return { sql: text, parameters: given, name };
  };
}

/** A statement that is compiled each time: its text depends on its values, or it rarely runs. */
export function built<Row>(query: Built<Row>): Statement<Row> {
  const { sql: text, parameters } = query.compile(compiler);
  return { sql: text, parameters };
}

/** A piece of text in a statement that is built, with the type of its value. */
export const piece = <Value>({ strings, values }: Sql): RawBuilder<Value> =>
  sql(Object.assign([...strings], { raw: strings }), ...values);

/** A statement without values as a piece of a text. */
export const textOf = (query: Compilable): Sql => raw(query.compile().sql);
