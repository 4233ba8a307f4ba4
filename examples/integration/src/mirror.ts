import { readFile, rename, writeFile } from 'node:fs/promises';
import { ApiError, type Client, type Event } from 'events-gateway-client';

/** What is kept between two runs. */
interface Copy {
  /** Where to go on in the log. */
  cursor: string;
  events: Record<string, Pick<Event, 'name' | 'status' | 'accepted_count'>>;
}

/**
 * Brings a copy of all events up to date: from where the last run ended or, if there is none or its cursor is no longer good,
 * from the list.
 *
 * @returns how many changes it applied, and how many events the copy has
 */
export async function mirror(client: Client, file: string): Promise<{ changes: number; events: number }> {
  let copy = await readCopy(file);
  let changes = 0;
  for (let more = true; more; ) {
    copy ??= await beginAgain(client, file);
    try {
      const query = { token: copy.cursor, kinds: ['event'] as const, limit: 50 };
      const page = await client.get('/changes', { params: { query } });
      for (const { op, object_id: id } of page.items) {
        if (op === 'refetch') copy.events = await readAll(client);
        else if (id) await readOne(client, copy, id);
      }
      changes += page.items.length;
      // the cursor belongs to what was made of the changes: both are saved at once
      copy.cursor = page.next;
      await save(file, copy);
      more = page.has_more;
    } catch (error) {
      if (!isOver(error)) throw error;
      copy = null;
    }
  }
  return { changes, events: Object.keys(copy?.events ?? {}).length };
}

async function readCopy(file: string): Promise<Copy | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Copy;
  } catch {
    return null;
  }
}

/** A program that is killed while it writes leaves the former file. */
async function save(file: string, copy: Copy): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(copy));
  await rename(`${file}.new`, file);
}

/** The cursor comes first: what changes while the list is read is applied afterwards. */
async function beginAgain(client: Client, file: string): Promise<Copy> {
  const { next } = await client.get('/changes', { params: { query: { since: 'now', kinds: ['event'] } } });
  const copy = { cursor: next, events: await readAll(client) };
  await save(file, copy);
  return copy;
}

/** The log no longer has what follows the cursor, or the cursor was sealed with a secret that was revoked. */
function isOver(error: unknown): boolean {
  return error instanceof ApiError && ['CURSOR_EXPIRED', 'INVALID_CURSOR'].includes(error.code);
}

async function readAll(client: Client): Promise<Copy['events']> {
  const events: Copy['events'] = {};
  for await (const { id, ...event } of client.list('/events', { fields: ['id', 'name', 'status', 'accepted_count'] })) {
    events[id] = event;
  }
  return events;
}

async function readOne(client: Client, copy: Copy, id: string): Promise<void> {
  try {
    const { name, status, accepted_count } = await client.get('/events/{event}', { params: { path: { event: id } } });
    copy.events[id] = { name, status, accepted_count };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
    delete copy.events[id];
  }
}
