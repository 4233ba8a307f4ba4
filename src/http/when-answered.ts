import type { ServerResponse } from 'node:http';

/**
 * Calls the listener once, when a response was handed over or its client has disconnected. Node's own events come later, when
 * the client has read it: no client may decide how long that takes.
 */
export function whenAnswered(response: ServerResponse, listener: () => void): void {
  // a response is there until the next one on its connection, and must not hold what its request has loaded
  let waiting: (() => void) | null = listener;
  const answered = () => {
    const call = waiting;
    waiting = null;
    call?.();
  };
  response.once('close', answered);
  const { end } = response;
  response.end = ((...given: Parameters<ServerResponse['end']>) => {
    end.apply(response, given);
    answered();
    return response;
  }) as ServerResponse['end'];
}
