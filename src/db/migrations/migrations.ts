import type { Migration } from '@mikro-orm/migrations';
import { Base } from './0001-base.ts';

export interface MigrationEntry {
  name: string;
  class: new (...options: ConstructorParameters<typeof Migration>) => Migration;
}

/**
 * Every migration, oldest first. A list rather than a folder scan, so that only these run. A new index on an existing
 * table goes into an `IndexMigration` of its own (note 0028).
 */
export const migrations: MigrationEntry[] = [{ name: '0001-base', class: Base }];
