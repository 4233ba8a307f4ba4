import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceDatabase } from '../../src/db/access/service-database.ts';
import type { UnitOfWork } from '../../src/engine/database.ts';
import { Notices } from '../../src/jobs/notices.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A database that hangs until it is released, and counts the transactions that it was asked for. */
class HangingDatabase extends ServiceDatabase {
  begun = 0;
  readonly #released = Promise.withResolvers<void>();
  release = () => this.#released.resolve();

  override async transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    this.begun += 1;
    await this.#released.promise;
    return await super.transaction(work);
  }
}

it('polls that come due while the database hangs are one poll, and a stop waits for no others', async () => {
  const db = new HangingDatabase(database.orm);
  const notices = new Notices({ db, outbox: { nudge: () => undefined }, log: silentLog, bounded: true, interval: 10 });
  notices.start();
  await expect.poll(() => db.begun).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const stopped = notices.stop();
  db.release();
  await stopped;
  expect(db.begun).toBe(1);
});
