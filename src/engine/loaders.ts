import DataLoader from 'dataloader';

/** Loads the value of a key; all keys requested at once are read in one statement. */
export type Loader<Value> = DataLoader<string, Value>;

/** A context that has loaders. */
interface Loading {
  loaders: Loaders;
  crosses?: true;
}

/**
 * The loaders of one request or one transaction. Each noun creates its own (`rowLoader`, `batchLoader`), one for each
 * selection of columns, so that only those are read.
 */
export class Loaders {
  private readonly made = new Map<string, { clearAll(): unknown }>();

  /** The loader under a key; created by `make` the first time. */
  once<Made extends { clearAll(): unknown }>(key: string, make: () => Made): Made {
    const known = this.made.get(key) as Made | undefined;
    if (known) return known;
    const made = make();
    this.made.set(key, made);
    return made;
  }

  /** Clears every loader: after a write, rows must be read again. */
  clear(): void {
    for (const loader of this.made.values()) loader.clearAll();
  }
}

/**
 * Loads rows by id; null for a row that `find` does not return, because the viewer may not see it.
 *
 * @param key identifies the loader, including everything that `find` depends on
 */
export function rowLoader<Row extends { id: string }>(
  ctx: Loading,
  key: string,
  find: (ids: readonly string[]) => Promise<readonly Row[]>,
): Loader<Row | null> {
  return batchLoader<Row | null>(ctx, key, (ids) => inOrder(ids, find(ids)));
}

/** Like {@link rowLoader}, for any kind of value; `batch` returns the values in the order of the keys. */
export function batchLoader<Value>(
  { loaders, crosses }: Loading,
  key: string,
  batch: (keys: readonly string[]) => Promise<(Value | Error)[]>,
): Loader<Value> {
  return loaders.once(crosses ? `${key} across organizations` : key, () => new DataLoader<string, Value>(batch));
}

/** Rows in the order of their ids. */
export async function inOrder<Row extends { id: string }>(
  ids: readonly string[],
  unordered: Promise<readonly Row[]>,
): Promise<(Row | null)[]> {
  const rows = new Map((await unordered).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id) ?? null);
}
