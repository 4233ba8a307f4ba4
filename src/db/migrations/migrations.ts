import type { Migration } from '@mikro-orm/migrations';
import { Base } from './0001-base.ts';

export interface MigrationEntry {
  name: string;
  class: new (...options: ConstructorParameters<typeof Migration>) => Migration;
}

/** Oldest first. A new index on an existing table gets its own `IndexMigration` (note 0028). */
export const migrations: MigrationEntry[] = [{ name: '0001-base', class: Base }];
