import type { TestServer } from './server.ts';

interface Named {
  name: string;
}

/** The tables of the database with a row that contains one of these texts. */
export async function tablesWith(server: TestServer, texts: readonly string[]): Promise<string[]> {
  const em = server.orm.em.fork();
  const tables = (await em.execute(
    `select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()`,
  )) as Named[];
  const found: string[] = [];
  for (const { name } of tables) {
    for (const text of texts) {
      const rows = await em.execute(`select from ${name} t where position(lower(?) in lower(t::text)) > 0 limit 1`, [
        text,
      ]);
      if (rows.length > 0) found.push(`${name}: ${text}`);
    }
  }
  return found;
}
