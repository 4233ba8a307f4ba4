/** What is still to be sent of requests that came while each was to be sent once; null where none is held back. */
let heldBack: (() => Promise<void>)[] | null = null;

/**
 * Runs `fn` while each GraphQL request reaches the service once, and only then sends what compares the lanes: for tests
 * that count or time what a request does. Where lanes are not compared, this just runs `fn`.
 *
 * @throws Error where an answer differs
 */
export async function sentOnce<Result>(fn: () => Promise<Result>): Promise<Result> {
  if (heldBack) return await fn();
  const rest: (() => Promise<void>)[] = [];
  heldBack = rest;
  try {
    const result = await fn();
    heldBack = null;
    for (const send of rest) await send();
    return result;
  } finally {
    heldBack = null;
  }
}

/** Keeps `send` for later where requests are sent once; tells whether it did. */
export function holdBack(send: () => Promise<void>): boolean {
  heldBack?.push(send);
  return heldBack !== null;
}
