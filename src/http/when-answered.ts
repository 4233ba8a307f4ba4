import type { ServerResponse } from 'node:http';

/**
 * Calls the listener once a response was handed over, or its client has disconnected, and so perhaps twice. Node's own
 * events come later, when the client has read it: no client may decide how long that takes.
 */
export function whenAnswered(response: ServerResponse, listener: () => void): void {
  response.once('close', listener);
  const { end } = response;
  response.end = ((...given: Parameters<ServerResponse['end']>) => {
    end.apply(response, given);
    listener();
    return response;
  }) as ServerResponse['end'];
}
