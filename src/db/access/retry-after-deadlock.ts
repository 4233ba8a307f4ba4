/** The maximum number of attempts at a transaction that PostgreSQL aborts to resolve a deadlock. */
const attempts = 3;

/**
 * Commands do not deadlock with each other, because all take their locks in one order (note 0035). Several mutations in one
 * transaction take them in the client's order, so PostgreSQL may have to abort one of two transactions; it can be retried,
 * since nothing of it was written.
 */
export async function retryAfterDeadlock<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const isDeadlock = error instanceof Error && Reflect.get(error, 'code') === '40P01';
      if (!isDeadlock || attempt === attempts) throw error;
    }
  }
}
