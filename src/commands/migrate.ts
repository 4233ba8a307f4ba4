import { readCommandSettings } from '../config/settings.ts';
import { startEmbedded } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';

// npm run db:migrate
try {
  const { url, directUrl, dataDir } = readCommandSettings().database;
  const server = url === null ? await startEmbedded(dataDir) : null;
  try {
    const done = await migrate(directUrl ?? url ?? server?.url ?? '', { report: console.error });
    console.log(done.length > 0 ? `Migrated: ${done.join(', ')}.` : 'The database is up to date.');
  } finally {
    await server?.stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
