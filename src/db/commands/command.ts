import { readCommandSettings } from '../../config.ts';
import { type OpenDatabase, openDatabase } from '../open.ts';

/**
 * Runs a command line task on the database of the settings. What it throws is told on stderr in one plain message,
 * and the exit code is 1.
 */
export async function runCommand(task: (database: OpenDatabase) => Promise<void>): Promise<void> {
  try {
    const database = await openDatabase(readCommandSettings().database);
    try {
      await task(database);
    } finally {
      await database.close();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
