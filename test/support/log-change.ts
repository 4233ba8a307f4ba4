import { randomUUIDv7 } from 'node:crypto';

interface Writer {
  execute(statement: string, values: unknown[]): Promise<unknown>;
}

interface LoggedChange {
  kind?: string;
  op?: string;
  object_id?: string | null;
  event_id?: string | null;
  version?: number | null;
}

/** Writes a change into the log of an organization, as a commit of its own if no transaction is open, and returns its id. */
export async function logChange(
  writer: Writer,
  organizationId: string,
  { kind = 'event', op = 'changed', object_id = randomUUIDv7(), event_id = null, version = null }: LoggedChange = {},
): Promise<string> {
  const id = randomUUIDv7();
  await writer.execute(
    `insert into change (organization_id, x, id, kind, op, object_id, event_id, version, occurred_at)
        values (?, pg_current_xact_id(), ?, ?, ?, ?, ?, ?, clock_timestamp())`,
    [organizationId, id, kind, op, object_id, event_id, version],
  );
  return id;
}

/** Takes the changes of an object from the log, as a standby that is promoted lacks what it had not got yet. */
export async function loseChanges(writer: Writer, objectId: string): Promise<void> {
  await writer.execute('delete from change where object_id = ?', [objectId]);
}
