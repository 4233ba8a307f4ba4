import type { Client } from 'pg';
import type { Cluster } from './cluster.ts';
import { connect, database, owner, ownerPassword, superuserUrl } from './connect.ts';

/** The advisory lock for preparing the database, so that processes that start concurrently take turns. */
const lock = 7_105_118_104;

/**
 * Creates the role of the service and its database if they are missing. A database from an earlier version belongs to
 * the superuser; its ownership is transferred with everything in it.
 */
export async function prepareDatabase(admin: Client, cluster: Cluster, port: number): Promise<void> {
  await admin.query('select pg_advisory_lock($1)', [lock]);
  try {
    const role = await admin.query('select from pg_roles where rolname = $1', [owner]);
    const verb = role.rowCount ? 'alter' : 'create';
    // neither the name nor the password (base64url) needs quoting
    await admin.query(`${verb} role ${owner} login password '${ownerPassword(cluster)}'`);
    const { rows } = await admin.query<{ owner: string }>(
      'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
      [database],
    );
    if (!rows[0]) await admin.query(`create database ${database} owner ${owner}`);
    else if (rows[0].owner !== owner) await handOver(superuserUrl(cluster, port, database));
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [lock]);
  }
}

/** `reassign owned` fails for this role, which owns the system catalog. Indexes and sequences follow their tables. */
const ownedBySuperuser = `
  select format('alter table %s owner to ${owner}', oid::regclass) as statement, oid, 'pg_class'::regclass as catalog
    from pg_class where relowner = current_user::regrole and relkind in ('r', 'p', 'v', 'm')
      and relnamespace = 'public'::regnamespace
  union all
  select format('alter routine %s owner to ${owner}', oid::regprocedure), oid, 'pg_proc'::regclass
    from pg_proc where proowner = current_user::regrole and pronamespace = 'public'::regnamespace`;

async function handOver(superuserUrl: string): Promise<void> {
  const client = await connect(superuserUrl, 'events-gateway hand-over');
  try {
    await client.query('begin');
    const { rows } = await client.query<{ statement: string }>(
      `select statement from (${ownedBySuperuser}) as owned
       where not exists (select from pg_depend where classid = catalog and objid = oid and deptype = 'e')`,
    );
    for (const { statement } of rows) await client.query(statement);
    // last, since a database with the right owner is not checked again
    await client.query(`alter database ${database} owner to ${owner}`);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
