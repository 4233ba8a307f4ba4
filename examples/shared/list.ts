/** Events a page. */
export const size = 10;
/** Where the list opens: with what comes from now on. */
export const now = new Date().toISOString();

/**
 * What reads the open part of the list again: from its first event, and with room for a new one. A page has at most 50
 * events; if more were open, the others have to be asked for again.
 *
 * @param dates when the events in the list start
 */
export function openPart([first = now, ...others]: readonly string[]) {
  return {
    from: first < now ? first : now,
    first: Math.min(50, Math.max(size, others.length + 2)),
    after: null,
    last: null,
    before: null,
  };
}

/** Runs at once, and once more if it is asked for while it runs, so that nothing is missed that changed meanwhile. */
export function oneAtATime(run: () => Promise<unknown>): () => Promise<void> {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      await run().catch(console.error);
    }
    running = false;
  };
}
