import { readCommandSettings } from '../../config.ts';
import { startEmbedded } from '../embedded.ts';
import { migrate } from '../migrate.ts';

// npm run db:migrate
try {
  const { url, dataDir } = readCommandSettings().database;
  const server = url === null ? await startEmbedded({ dataDir }) : null;
  try {
    const done = await migrate(url ?? server?.url ?? '');
    console.log(done.length > 0 ? `Migrated: ${done.join(', ')}.` : 'The database is up to date.');
  } finally {
    await server?.stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
