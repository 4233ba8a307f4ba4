import { readFile, writeFile } from 'node:fs/promises';
import { ApiError, type Client, type Event } from 'events-gateway-client';

/** What is kept between two runs. */
interface Copy {
  /** Where to go on in the log; absent at first. */
  cursor?: string;
  events: Record<string, Pick<Event, 'name' | 'status' | 'accepted_count'>>;
}

async function readCopy(file: string): Promise<Copy> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Copy;
  } catch {
    return { events: {} };
  }
}

/**
 * Brings a copy of all events up to date: from the start of the log, or from where the last run ended.
 *
 * @returns how many changes it applied, and how many events the copy has
 */
export async function mirror(client: Client, file: string): Promise<{ changes: number; events: number }> {
  const copy = await readCopy(file);
  let changes = 0;
  for (let more = true; more; ) {
    const from = copy.cursor ? { token: copy.cursor } : { since: 'start' as const };
    const page = await client.get('/changes', { params: { query: { ...from, kinds: 'event', limit: 50 } } });
    for (const { op, object_id: id } of page.items) {
      if (op === 'refetch') await readAll(client, copy);
      else if (id) await readOne(client, copy, id);
    }
    changes += page.items.length;
    // the cursor belongs to what was made of the changes: both are saved at once
    copy.cursor = page.next;
    await writeFile(file, JSON.stringify(copy));
    more = page.has_more;
  }
  return { changes, events: Object.keys(copy.events).length };
}

/** Too much has changed to be told, or the log does not reach back to the beginning. */
async function readAll(client: Client, copy: Copy): Promise<void> {
  copy.events = {};
  for await (const { id, ...event } of client.events({ fields: ['id', 'name', 'status', 'accepted_count'] })) {
    copy.events[id] = event;
  }
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
