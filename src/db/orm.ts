import { MikroORM } from '@mikro-orm/postgresql';
import { type ConnectionOptions, ormOptions } from './options.ts';

/** The ORM on PostgreSQL. */
export type Orm = MikroORM;

/**
 * Makes the ORM. It connects at the first statement; the caller closes it with `orm.close()`.
 * A connection that the server drops is reported to `warn` and replaced; it never ends the process.
 */
export function createOrm(options: ConnectionOptions): Promise<Orm> {
  return MikroORM.init(ormOptions(options));
}
