import { setTimeout as sleep } from 'node:timers/promises';
import { createOrm } from '../../src/db/orm.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { insertMember } from '../support/fixtures.ts';
import type { Journal } from './journal.ts';

/** Somebody of an organization, in a database that nothing else is connected to. */
export async function addMember(databaseUrl: string, role: OrganizationRole = 'owner') {
  const orm = await createOrm({ url: databaseUrl });
  const member = await insertMember(orm, { role });
  await orm.close(true);
  return member;
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Sends one write; null if no answer came. */
async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Answer | null> {
  try {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch {
    return null;
  }
}

/** The codes that a client must expect while something is broken, and repeat. */
const repeated = ['SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'CONFLICT'];

interface Made {
  id: string;
  version: number;
}

/** What was acknowledged; null if the write is to be repeated, and a text for what no fault excuses. */
function read(answer: Answer | null): Made | null | string {
  if (!answer) return null;
  const { status, body } = answer;
  const errors = body.errors as { extensions?: { code?: string } }[] | undefined;
  const code = String(errors?.[0]?.extensions?.code ?? body.code);
  if (repeated.includes(code)) return null;
  const data = body.data as { createEvent?: { event: { databaseId: string; version: number } } } | undefined;
  if (data?.createEvent) return { id: data.createEvent.event.databaseId, version: data.createEvent.event.version };
  if ((status === 200 || status === 201) && typeof body.id === 'string') return body as unknown as Made;
  return `answered ${status}: ${JSON.stringify(body).slice(0, 300)}`;
}

const dates = { start: '2031-05-03T10:00:00Z', end: '2031-05-03T12:00:00Z' };

/**
 * Creates and changes events, on both faces in turn, and repeats each write with its key until it is acknowledged. Each try
 * asks for the headers, as a token is renewed meanwhile.
 */
export function startWriters(
  journal: Journal,
  url: string,
  headers: () => Record<string, string>,
): { stop(): Promise<void> } {
  let stopped = false;
  let next = 0;
  const repeat = async (write: () => Promise<Answer | null>): Promise<Made | null> => {
    while (!stopped) {
      const made = read(await write());
      if (typeof made === 'string') journal.strange.push(made);
      else if (made) return made;
      await sleep(100);
    }
    return null;
  };
  const writer = async (index: number) => {
    while (!stopped) {
      next += 1;
      const number = next;
      const name = `Chaos ${number}`;
      const key = crypto.randomUUID();
      const keyed = () => ({ ...headers(), 'idempotency-key': key });
      journal.asked.add(name);
      const query = `mutation { createEvent(input: {name: "${name}", dateStart: "${dates.start}", dateEnd: "${dates.end}"}) {
        event { databaseId version } } }`;
      const made = await repeat(() =>
        index % 2 === 0
          ? send(`${url}/events`, 'POST', keyed(), { name, date_start: dates.start, date_end: dates.end })
          : send(`${url}/graphql`, 'POST', keyed(), { query }),
      );
      if (!made) return;
      journal.created(made.id, name);
      const patchKey = crypto.randomUUID();
      const patch = () => ({ ...headers(), 'idempotency-key': patchKey });
      const changed = await repeat(() => send(`${url}/events/${made.id}`, 'PATCH', patch(), { capacity: number }));
      if (changed) journal.changed(made.id, changed.version);
      await sleep(20);
    }
  };
  const writers = [0, 1, 2, 3].map(writer);
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(writers);
    },
  };
}
