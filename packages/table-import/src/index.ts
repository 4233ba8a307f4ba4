export type { Report } from './read-rows.ts';
export { ImportFaults, TableImport } from './table-import.ts';
export type { Row, Rows, Tables } from './tables.ts';
