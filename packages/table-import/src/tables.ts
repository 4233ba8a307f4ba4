import type { ZodType } from 'zod';

/** A row to be stored. An omitted key is absent, which is not the same as null. */
export type Row = Record<string, unknown>;

/** The rows of a document by section, such as `authors` and `books`. */
export type Rows<Section extends string> = Record<Section, Row[]>;

/** Where the rows of each section are stored, in the order in which foreign keys allow them to be written. */
export type Tables<Section extends string> = Readonly<Record<Section, Table<NoInfer<Section>>>>;

export interface Table<Section extends string> {
  table: string;
  /** The columns that identify a row; `id` if absent. */
  identity?: readonly string[];
  /** The keys of a row in a document, which are columns. An omitted key keeps its value, or gets its default in a new row. */
  keys: Readonly<Record<string, ZodType>>;
  /** Why some other keys are refused, if people may expect them to work. */
  refused?: Readonly<Record<string, string>>;
  /** Keys that are no columns. */
  unstored?: readonly string[];
  /** The columns that are unique together, by the key that faults name. The last one is a text, and rows have an `id`. */
  unique?: Readonly<Record<string, readonly string[]>>;
  /** Keys whose values are ids of a section. */
  references?: Readonly<Record<string, Section>>;
  /** SQL: the stored rows that others may refer to; all if absent. */
  referable?: string;
  /** Checks keys with each other, and adds values for `computed` columns. The row lacks what is missing or invalid. */
  complete?(row: Row, report: (key: string, fault: string) => void): void;
  /** SQL of computed columns. `given` is the row as JSON, `old` the existing row, and `"row"` the two merged. */
  computed?: Readonly<Record<string, string>>;
  /** SQL of columns that follow changes of the others. @param changed the condition that one of those changes */
  following?(changed: string): Record<string, string>;
  /** A statement that writes rows from a JSON list ($1), in place of the one that is made of all this. */
  statement?: string;
}
