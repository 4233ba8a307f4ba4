import { sql as fragment, type RawBuilder } from 'kysely';
import { built, type Statement } from '#postgres-access';

/** A statement that only a test runs. */
export const sql = <Row = never>(strings: TemplateStringsArray, ...values: unknown[]): Statement<Row> =>
  built(fragment<Row>(strings, ...values));

/** A piece of text in a statement. */
export const raw: (text: string) => RawBuilder<unknown> = fragment.raw;
