import { sql as fragment, type RawBuilder } from 'kysely';
import { built, type Statement } from '#postgres-access';

/** A statement that only a test runs. */
export const sql = <Row = never>(strings: TemplateStringsArray, ...values: unknown[]): Statement<Row> =>
  built(fragment<Row>(strings, ...values));

/** A piece of text in a statement. */
export const raw: (text: string) => RawBuilder<unknown> = fragment.raw;

/** Runs `act` while a table is not there. */
export async function withoutTable<Result>(
  { execute }: { execute(statement: string): Promise<unknown> },
  table: string,
  act: () => Promise<Result>,
): Promise<Result> {
  await execute(`alter table ${table} rename to absent`);
  return await act().finally(() => execute(`alter table absent rename to ${table}`));
}
