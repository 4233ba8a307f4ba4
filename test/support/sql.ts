import { sql as fragment, type RawBuilder } from 'kysely';
import type { Statement } from '../../src/engine/database.ts';
import { built } from '../../src/engine/statement.ts';

/** A statement that only a test runs. */
export const sql = <Row = never>(strings: TemplateStringsArray, ...values: unknown[]): Statement<Row> =>
  built(fragment<Row>(strings, ...values));

/** A piece of text in a statement. */
export const raw: (text: string) => RawBuilder<unknown> = fragment.raw;
