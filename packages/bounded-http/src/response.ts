import type { ServerResponse } from 'node:http';

/** Sends a text with its length, which Node.js leaves out of responses to HEAD. */
export function endText(response: ServerResponse, text: string): void {
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

/**
 * Calls the listener once, when the response has been handed to Node.js or the client has disconnected. Node's own events
 * wait until the client has read the response, and a slow client must not hold resources.
 */
export function whenAnswered(response: ServerResponse, listener: () => void): void {
  // the response lives until the next one on its connection, and must not keep what its request loaded
  let waiting: (() => void) | null = listener;
  const answered = () => {
    waiting?.();
    waiting = null;
  };
  response.once('close', answered);
  const { end } = response;
  // a variable: V8 would allocate a literal that is assigned to a property in the old generation (note 0034)
  const endAndRelease = (...given: Parameters<ServerResponse['end']>) => {
    end.apply(response, given);
    answered();
    return response;
  };
  response.end = endAndRelease as ServerResponse['end'];
}
