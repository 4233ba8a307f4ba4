import { readCommandSettings } from '../config/settings.ts';
import { withClient } from '../db/client.ts';
import { demoOrganizationIds } from '../db/demo/demo.ts';

/** @throws Error in production, unless forced */
export function requireForceInProduction(force: boolean): void {
  if (force || !readCommandSettings().production) return;
  throw new Error(`NODE_ENV is production, and this would write made-up data. ${overrideHint}`);
}

/** @throws Error if the database has real organizations, unless forced */
export async function requireEmptyOrForce(url: string, force: boolean): Promise<void> {
  if (force) return;
  const others = await withClient(url, (client) =>
    client.query(
      `select from organization where id <> all($1::uuid[]) and slug !~ '^generated-[0-9]+-[0-9]+$' limit 1`,
      [demoOrganizationIds],
    ),
  );
  if (others.rowCount) {
    throw new Error(`The database already has organizations, and this would add made-up data to them. ${overrideHint}`);
  }
}

const overrideHint = 'Nothing was written; use --force to do so anyway.';
