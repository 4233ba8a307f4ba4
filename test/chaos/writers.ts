import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../src/db/client.ts';
import { createOrm } from '../../src/db/orm.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { insertMember } from '../support/fixtures.ts';

/** Somebody of an organization, in a database that nothing else is connected to. */
export async function addMember(databaseUrl: string, role: OrganizationRole = 'owner') {
  const orm = await createOrm({ url: databaseUrl });
  const member = await insertMember(orm, { role });
  await orm.close(true);
  return member;
}

type Answer = { status: number; body: Record<string, unknown> };

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

type Made = { id: string; version: number };

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

/** What the service has acknowledged, and how else it has answered. */
export class Journal {
  /** Acknowledged events by id, with the highest version that was acknowledged. */
  readonly events = new Map<string, { name: string; version: number }>();
  /** The names of all events that were ever asked for. */
  readonly asked = new Set<string>();
  /** Answers that no fault excuses. */
  readonly strange: string[] = [];
  /** When something was last acknowledged, by `performance.now()`. */
  lastAt = 0;

  created(id: string, name: string): void {
    this.events.set(id, { name, version: 1 });
    this.lastAt = performance.now();
  }

  changed(id: string, version: number): void {
    const event = this.events.get(id);
    if (event) event.version = Math.max(event.version, version);
    this.lastAt = performance.now();
  }

  /** Milliseconds from a moment to the next acknowledged write. @throws Error if there is none for longer than `patience` */
  async nextAfter(since: number, patience: number): Promise<number> {
    const end = performance.now() + patience;
    while (this.lastAt <= since) {
      if (performance.now() > end) throw new Error(`nothing was acknowledged for ${patience} ms`);
      await sleep(10);
    }
    return this.lastAt - since;
  }
}

/**
 * Compares the journal with the rows. Acknowledged writes must be there, with their entries in the audit trail and the log of
 * changes; nothing may be there twice, since every write was repeated with its key until it was acknowledged.
 *
 * @returns what is wrong
 */
export async function verify(journal: Journal, databaseUrl: string): Promise<string[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ id: string; name: string; version: number; audits: number; changes: number }>(
      `select e.id, e.name, e.version,
          (select count(*)::int from audit_entry a where a.subject_id = e.id and a.action = 'event.created') as audits,
          (select count(*)::int from change c where c.object_id = e.id and c.op = 'created') as changes
        from event e where e.name like 'Chaos %'`,
    ),
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  const faults = [...journal.events].flatMap(([id, { name, version }]) => {
    const row = found.get(id);
    if (!row) return [`lost: ${name}`];
    return row.version < version ? [`lost: version ${version} of ${name}, which has ${row.version}`] : [];
  });
  const names = new Map<string, number>();
  for (const { name, audits, changes } of rows) {
    names.set(name, (names.get(name) ?? 0) + 1);
    if (audits !== 1) faults.push(`${audits} entries in the audit trail: ${name}`);
    if (changes !== 1) faults.push(`${changes} entries in the log of changes: ${name}`);
    if (!journal.asked.has(name)) faults.push(`nobody asked for: ${name}`);
  }
  for (const [name, count] of names) if (count > 1) faults.push(`${count} times: ${name}`);
  return [...faults, ...journal.strange];
}
