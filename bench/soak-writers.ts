import { setTimeout as sleep } from 'node:timers/promises';
import type { Crowd } from './crowd.ts';
import { headersOf } from './tokens.ts';

/** What writers have got for answers. */
export interface Written {
  done: number;
  /** Refused, for example a second subscription, or one too many for the machine. */
  refused: number;
  /** The process was killed, or could not be reached. */
  lost: number;
}

const query = `mutation($event: ID!, $text: String) { updateEvent(input: {id: $event, description: $text}) { event { version } } }`;
const any = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)] as Item;

/** One write by one of the people of a crowd: events are changed by either API, subscriptions come and go. */
async function write(url: string, { organization, managers, members, events }: Crowd): Promise<boolean> {
  const event = any(events);
  const kind = Math.floor(Math.random() * 4);
  const user = kind < 2 ? any(managers) : any(members);
  const headers = { ...(await headersOf(user, organization)), 'content-type': 'application/json' };
  const send = async (path: string, method: string, body?: object) =>
    await fetch(url + path, {
      method,
      headers,
      signal: AbortSignal.timeout(20_000),
      ...(body && { body: JSON.stringify(body) }),
    });
  const description = String(Math.random());
  if (kind === 0) return (await send(`/events/${event}`, 'PATCH', { description })).ok;
  if (kind === 1) {
    const id = Buffer.from(`Event:${event}`).toString('base64');
    const answer = await send('/graphql', 'POST', { query, variables: { event: id, text: description } });
    return !((await answer.json()) as { errors?: unknown }).errors;
  }
  const made = await send(`/events/${event}/subscriptions`, 'POST');
  const { id } = (await made.json()) as { id?: string };
  if (!made.ok || kind === 2) return made.ok;
  return (await send(`/events/${event}/subscriptions/${id}`, 'PATCH', { status: 'cancelled' })).ok;
}

/** Writes at a steady rate to any of the processes until the signal. */
export async function writeUntil(
  signal: AbortSignal,
  { urls, crowds, rate }: { urls(): string[]; crowds: Crowd[]; rate: number },
): Promise<Written> {
  const written: Written = { done: 0, refused: 0, lost: 0 };
  const count = (what: keyof Written) => {
    written[what] += 1;
  };
  const begun = performance.now();
  const sent = new Set<Promise<void>>();
  for (let number = 0; !signal.aborted; number += 1) {
    const one: Promise<void> = write(any(urls()), any(crowds))
      .then(
        (ok) => count(ok ? 'done' : 'refused'),
        () => count('lost'),
      )
      .finally(() => sent.delete(one));
    sent.add(one);
    await sleep(Math.max(0, begun + (number * 1000) / rate - performance.now()));
  }
  await Promise.all(sent);
  return written;
}
