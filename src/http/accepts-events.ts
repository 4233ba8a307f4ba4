import type { Request } from 'express';

const events = 'text/event-stream; charset=utf-8';

/** Whether a client asks for an event stream by name. */
export function acceptsEvents(accept = ''): boolean {
  const ranges = accept.split(',').filter((range) => /^\s*text\/event-stream\s*(;|$)/i.test(range));
  return ranges.some((range) => !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range));
}

/** Whether a client prefers an event stream to JSON (RFC 9110, section 12.5.1); a client to which both are the same gets JSON. */
export function prefersEvents(request: Request): boolean {
  return request.accepts(['application/json; charset=utf-8', events]) === events;
}
