import { readCommandSettings } from '../config/settings.ts';
import { type OpenDatabase, openDatabase } from '../db/open.ts';

/** Runs a task on the configured database. If it throws, prints the message and sets the exit code to 1. */
export async function runCommand(task: (database: OpenDatabase) => Promise<void>): Promise<void> {
  try {
    const database = await openDatabase(readCommandSettings().database, console.error);
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
