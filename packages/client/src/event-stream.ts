import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';

/** The connection is open, but carries no events. */
export class Mute extends Error {}

/** Milliseconds without a byte after which a stream counts as dead; the service sends a comment every 15 s. */
export const usualSilence = 45_000;

/**
 * The events of a stream, until it ends.
 *
 * @param open makes the request; it throws if it is refused
 * @throws Mute if nothing comes for `silence` milliseconds
 */
export async function* readEvents(
  open: (signal: AbortSignal) => Promise<Response>,
  silence: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventSourceMessage, void, void> {
  const watch = new AbortController();
  const signals = signal ? AbortSignal.any([signal, watch.signal]) : watch.signal;
  const expire = () => setTimeout(() => watch.abort(new Mute()), silence);
  let timer = expire();
  try {
    const response = await open(signals);
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) throw new Mute();
    const lively = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        clearTimeout(timer);
        timer = expire();
        controller.enqueue(chunk);
      },
    });
    const events = response.body
      .pipeThrough(lively, { signal: signals })
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (;;) {
      const { done, value } = await events.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : error;
  } finally {
    clearTimeout(timer);
    watch.abort();
  }
}
