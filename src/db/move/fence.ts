import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { turnsLock } from '../../domain/webhook/turns.ts';
import type { OwnedTable } from './tables.ts';

/** Milliseconds that a trigger waits for the lock of its table, before which others queue up; and how often that is tried. */
const patience = { lock: 500, tries: 120, pause: 250 };

/** Whether a mail about the organization, or a delivery to one of its webhooks, is under way. */
const underWay = `select exists (select from mail_job where organization_id = $1 and attempts > 0 and error is null and not held
    and due_at > now() and due_at < now() + interval '2 minutes')
  or exists (select from webhook where organization_id = $1 and turn is not null and turn_until > now()) as busy`;

/**
 * Waits until what jobs have begun for an organization is done: they begin nothing new, since it has a row in `organization_move`. Those of
 * a process that died are not waited for any longer than their claims are valid.
 */
export async function waitForJobs(client: ClientBase, organizationId: string): Promise<void> {
  const end = performance.now() + 100_000;
  // who is about to begin a delivery may not know of the move
  await client.query(`select ${turnsLock}`);
  while (performance.now() < end) {
    const { rows } = await client.query<{ busy: boolean }>(underWay, [organizationId]);
    if (!rows[0]?.busy) return;
    await sleep(100);
  }
}

/**
 * Refuses writes to the organization from now on, in each of its tables, by triggers (note 0086). A trigger waits for the transactions that
 * have written to its table, so when this returns, whatever was written is committed and nothing more comes. What is there already
 * stays, so it can be repeated.
 */
export async function raiseFence(client: ClientBase, tables: readonly OwnedTable[], id: string): Promise<void> {
  const present = new Set((await fencesOf(client, id)).map(({ table, trigger }) => `${table} ${trigger}`));
  for (const table of tables) {
    const missing = triggersOf(table, id).filter(({ trigger }) => !present.has(`${table.name} ${trigger}`));
    if (missing.length > 0) await change(client, missing.map(({ statement }) => statement).join(';'));
  }
}

/** Takes the triggers away. Can be repeated. */
export async function lowerFence(client: ClientBase, id: string): Promise<void> {
  const byTable = Map.groupBy(await fencesOf(client, id), ({ table }) => table);
  for (const [table, fences] of byTable) {
    await change(client, fences.map(({ trigger }) => `drop trigger if exists "${trigger}" on "${table}"`).join(';'));
  }
}

function triggersOf({ name, owner }: OwnedTable, id: string): { trigger: string; statement: string }[] {
  const column = name === 'organization' ? 'id' : 'organization_id';
  const isIts = (row: string) => `${row}."${column}" = '${id}'`;
  // a row that moves to another organization, or comes from one
  const when = { insert: isIts('new'), update: `${isIts('old')} or ${isIts('new')}`, delete: isIts('old') };
  const given = [id, ...(owner ? [owner.parent, owner.column] : [])].map((each) => `'${each}'`).join(', ');
  return Object.entries(when).map(([operation, condition]) => {
    const trigger = triggerName(id, operation);
    const only = owner ? '' : `when (${condition})`;
    return {
      trigger,
      statement: `create trigger "${trigger}" before ${operation} on "${name}" for each row ${only}
        execute function "refuse_moved_write"(${given})`,
    };
  });
}

/** By name before the others, so that nothing is done for what is refused. */
function triggerName(id: string, operation: string): string {
  return `a_moving_${id.replaceAll('-', '')}_${operation}`;
}

async function fencesOf(client: ClientBase, id: string): Promise<{ table: string; trigger: string }[]> {
  const { rows } = await client.query<{ table: string; trigger: string }>(
    `select c.relname as table, tgname as trigger from pg_trigger join pg_class c on c.oid = tgrelid
      where starts_with(tgname, $1) and tgparentid = 0 order by 1, 2`,
    [triggerName(id, '')],
  );
  return rows;
}

/** Changes a table in a transaction, and tries again if its lock is not to be had: meanwhile, those who queued up behind go on. */
async function change(client: ClientBase, statements: string): Promise<void> {
  for (let left = patience.tries; ; left -= 1) {
    try {
      await client.query(`begin; set local lock_timeout = ${patience.lock}; ${statements}; commit`);
      return;
    } catch (error) {
      await client.query('rollback');
      // lock_not_available, deadlock_detected
      const { code } = error as { code?: string };
      if (left <= 1 || (code !== '55P03' && code !== '40P01')) throw error;
      await sleep(patience.pause);
    }
  }
}
