import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Statement } from '../../engine/database.ts';
import { built } from '../../engine/statement.ts';

/** Which part of a list the operator wants: the newest come first. */
export interface OperatorPage {
  limit: number;
  /** The last id of the page before. */
  after: string | null;
}

/** A page of a list, whose rows have ids that ascend with time. */
export function operatorPage<Tables, From extends keyof Tables, Row>(
  list: SelectQueryBuilder<Tables, From, Row>,
  id: string,
  { limit, after }: OperatorPage,
): Statement<Row> {
  const further = ifGiven(after, (last) => sql`${sql.ref(id)} < ${last}::uuid`);
  return built(list.where(further).orderBy(sql.ref(id), 'desc').limit(limit));
}

/** A condition, or none if nothing is asked for. */
export function ifGiven<Value>(
  value: Value | null,
  condition: (value: Value) => Expression<SqlBool>,
): Expression<SqlBool> {
  return value === null ? sql.lit(true) : condition(value);
}
