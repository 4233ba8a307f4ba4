import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../src/db/client.ts';

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
