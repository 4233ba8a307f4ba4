import sql, { empty, type Sql } from 'sql-template-tag';

/** Which part of a list the operator wants: the newest come first. */
export interface OperatorPage {
  limit: number;
  /** The last id of the page before. */
  after: string | null;
}

/** The end of a statement that lists rows of the alias `t`, whose ids ascend with time; `found` is its condition. */
export function operatorPageSql(found: Sql, { limit, after }: OperatorPage): Sql {
  const further = after === null ? empty : sql`and t.id < ${after}::uuid`;
  return sql`where ${found} ${further} order by t.id desc limit ${limit}`;
}

/** A condition, or none if nothing is asked for. */
export function ifGiven<Value>(value: Value | null, condition: (value: Value) => Sql): Sql {
  return value === null ? sql`true` : condition(value);
}
