/** Bytes that a row takes besides its values: its header, and its entries in indexes. */
const rowBytes = 128;

/** What a statement asks the database to keep, in bytes, before it is known how many rows that is; 0 for one that reads. */
export function writtenBytes(text: string, values: readonly unknown[]): number {
  if (!/^\s*(insert|update|with)\b/i.test(text)) return 0;
  // the ORM writes its values into the text
  return values.length === 0 ? Buffer.byteLength(text) : values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
}

/** The same for the rows that it wrote. */
export function writtenRows(command: string, rowCount: number | null): number {
  return command === 'INSERT' || command === 'UPDATE' ? (rowCount ?? 0) * rowBytes : 0;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Buffer.isBuffer(value)) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sizeOf(each), 0);
  return 8;
}
