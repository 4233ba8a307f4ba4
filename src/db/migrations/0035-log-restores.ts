import { Migration } from '@mikro-orm/migrations';

/** When the log of changes was taken over from another cluster: cursors from before may name its transactions. */
export class LogRestores extends Migration {
  override up(): void {
    this.addSql(`create table "log_restore" ("at" timestamptz(3) not null, primary key ("at"))`);
  }

  override down(): void {
    this.addSql(`drop table "log_restore"`);
  }
}
