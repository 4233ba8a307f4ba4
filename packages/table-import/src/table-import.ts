import type { ClientBase } from 'pg';
import { type Check, type Report, readRows } from './read-rows.ts';
import { holders, referable, upsert, vacate } from './statements.ts';
import type { Row, Rows, Tables } from './tables.ts';

const chunkSize = 5_000;

interface Progress {
  begin(stage: string, total: number): void;
  advance(steps: number): void;
  end(): void;
}

/** All faults of a document, one line each, with their paths (RFC 6901). */
export class ImportFaults extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join('\n'));
    this.name = 'ImportFaults';
    this.faults = faults;
  }
}

/** One import of a document. Reading it checks each row on its own. */
export class TableImport<Section extends string> {
  readonly rows: Rows<Section>;
  readonly #tables: Tables<Section>;
  readonly #sections: readonly Section[];
  readonly #faults: string[] = [];

  /** @throws ImportFaults if the file is not JSON in UTF-8 */
  constructor(tables: Tables<Section>, file: Uint8Array, check: Check) {
    this.#tables = tables;
    this.#sections = Object.keys(tables) as Section[];
    this.rows = readRows(tables, parse(file), check, this.report);
  }

  /** Adds a fault. @param path of the invalid value */
  readonly report: Report = (path, fault) => {
    this.#faults.push(`${printable(path) || '/'}: ${fault}`);
  };

  /** @throws ImportFaults if there are any by now */
  refuseFaults(): void {
    if (this.#faults.length > 0) throw new ImportFaults(this.#faults);
  }

  /** Checks rows against each other and against the database. */
  async checkRelations(client: ClientBase): Promise<void> {
    for (const section of this.#sections) {
      const { identity = ['id'], unique } = this.#tables[section];
      for (const [key, columns] of Object.entries({ [String(identity.at(-1))]: identity, ...unique })) {
        this.#checkUnique(section, key, columns);
      }
    }
    for (const section of this.#sections) {
      for (const [column, target] of Object.entries<Section>(this.#tables[section].references ?? {})) {
        await this.#checkReferences(client, section, column, target);
      }
    }
    for (const section of this.#sections) {
      for (const [key, columns] of Object.entries(this.#tables[section].unique ?? {})) {
        await this.#checkTaken(client, section, key, columns);
      }
    }
  }

  #checkUnique(section: Section, key: string, columns: readonly string[]): void {
    const first = new Map<string, number>();
    for (const [index, row] of this.rows[section].entries()) {
      const [given] = withAll([row], columns);
      if (!given) continue;
      const values = JSON.stringify(given);
      const earlier = first.get(values);
      if (earlier === undefined) first.set(values, index);
      else this.report(`/${section}/${index}/${key}`, `is the same as in /${section}/${earlier}`);
    }
  }

  async #checkReferences(client: ClientBase, section: Section, column: string, target: Section): Promise<void> {
    const rows = this.rows[section];
    const inFile = new Set(this.rows[target].map(({ id }) => id));
    const elsewhere = new Set(rows.map((row) => row[column]).filter((id) => id !== undefined && !inFile.has(id)));
    if (elsewhere.size === 0) return;
    const stored = await client.query<{ id: string }>(referable(this.#tables[target]), [[...elsewhere]]);
    for (const { id } of stored.rows) elsewhere.delete(id);
    const fault = `does not refer to any of the ${target} in the file or the database`;
    for (const [index, row] of rows.entries()) {
      if (elsewhere.has(row[column])) this.report(`/${section}/${index}/${column}`, fault);
    }
  }

  /** Reports unique values of stored rows that the document does not overwrite. */
  async #checkTaken(client: ClientBase, section: Section, key: string, columns: readonly string[]): Promise<void> {
    const given = withAll(this.rows[section], ['id', ...columns]);
    if (given.length === 0) return;
    const rewritten = new Set<unknown>(given.map(({ id }) => id));
    const { rows: stored } = await client.query<{ id: string; holder: string }>(
      holders(this.#tables[section], columns),
      [JSON.stringify(given)],
    );
    const holderOf = new Map<unknown, string>(stored.map(({ id, holder }) => [id, holder]));
    for (const [index, { id }] of this.rows[section].entries()) {
      const holder = holderOf.get(id);
      if (holder === undefined || rewritten.has(holder)) continue;
      this.report(`/${section}/${index}/${key}`, `is taken in the database, by ${holder}`);
    }
  }

  /** Inserts and updates the rows; returns how many of each section. */
  async write(client: ClientBase, progress: Progress): Promise<Record<Section, number>> {
    for (const section of this.#sections) {
      const table = this.#tables[section];
      for (const columns of Object.values(table.unique ?? {})) {
        const given = withAll(this.rows[section], ['id', ...columns]);
        await client.query(vacate(table, columns), [JSON.stringify(given)]);
      }
    }
    for (const section of this.#sections) {
      const rows = this.rows[section];
      const statement = upsert(this.#tables[section]);
      progress.begin(section, rows.length);
      for (let start = 0; start < rows.length; start += chunkSize) {
        const chunk = rows.slice(start, start + chunkSize);
        await client.query(statement, [JSON.stringify(chunk)]);
        progress.advance(chunk.length);
      }
      progress.end();
    }
    const counts = this.#sections.map((section) => [section, this.rows[section].length]);
    return Object.fromEntries(counts) as Record<Section, number>;
  }
}

function parse(file: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw new ImportFaults(['The file is not UTF-8.']);
  }
  try {
    // `npm run` writes these lines before the output of an export
    return JSON.parse(text.replace(/^(?:\s*\n|> [^\n]*\n)+/, ''));
  } catch (error) {
    throw new ImportFaults([`The file is not JSON: ${error instanceof Error ? error.message : error}`]);
  }
}

/** Escapes control characters: a key of the document may contain terminal sequences. */
function printable(path: string): string {
  return path.replace(/\p{Cc}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** These values of the rows that have all of them. */
function withAll(rows: readonly Row[], columns: readonly string[]): Row[] {
  return rows
    .filter((row) => columns.every((column) => row[column] !== undefined && row[column] !== null))
    .map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
}
