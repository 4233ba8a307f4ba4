import { type RefObject, useEffect } from 'react';

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
function openPart([first = now, ...others]: readonly string[]) {
  return {
    from: first < now ? first : now,
    first: Math.min(50, Math.max(size, others.length + 2)),
    after: null,
    last: null,
    before: null,
  };
}

export type OpenPart = ReturnType<typeof openPart>;
/** The part before anything is shown. */
export const opening = openPart([]);

/** Notes which part of the list is open. An event that moves does not move the part: it is still what was paged to. */
export function useOpenPart(open: RefObject<OpenPart>, events: readonly { id: string; dateStart: string }[]): void {
  const shown = events.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: not when the fields of an event change
  useEffect(() => {
    open.current = openPart(events.map(({ dateStart }) => dateStart));
  }, [open, shown]);
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
