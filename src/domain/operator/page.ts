import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { built, type Statement } from '#postgres-access';

/** Newest first. */
export interface OperatorPage {
  limit: number;
  after: string | null;
}

/** The ids must ascend with time. */
export function operatorPage<Tables, From extends keyof Tables, Row>(
  list: SelectQueryBuilder<Tables, From, Row>,
  id: string,
  { limit, after }: OperatorPage,
): Statement<Row> {
  const further = ifGiven(after, (last) => sql`${sql.ref(id)} < ${last}::uuid`);
  return built(list.where(further).orderBy(sql.ref(id), 'desc').limit(limit));
}

export function ifGiven<Value>(
  value: Value | null,
  condition: (value: Value) => Expression<SqlBool>,
): Expression<SqlBool> {
  return value === null ? sql.lit(true) : condition(value);
}
