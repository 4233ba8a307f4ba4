import { randomUUID } from 'node:crypto';
import sql, { raw } from 'sql-template-tag';
import type { Database, UnitOfWork } from '../../engine/database.ts';
import type { ChangeKind } from '../change/change.table.ts';
import { type Contender, type Free, shareOut } from './share-out.ts';
import type { PlaceColumns } from './webhook-place.ts';
import { lookUpOnly } from './webhook-queue.ts';
import { sealedSecrets } from './webhook-secrets.ts';

/** A turn of a webhook: while a process has it, no other one sends for the webhook. */
export interface TurnKey {
  webhook_id: string;
  organization_id: string;
  /** Identifies the turn: what a process records after it was lost is not taken. */
  turn: string;
}

/** What it takes to send for a webhook. */
export interface Turn extends TurnKey {
  /** Who created the organization; null for imported ones. */
  maker_id: string | null;
  url: string;
  /** The sealed secrets that sign, newest first. */
  secrets: string[];
  kinds: ChangeKind[];
  place: PlaceColumns['place'];
  redirected_at: string | null;
  /** Whether the last try was delivered. */
  healthy: boolean;
  /** Whether the last deliveries took no longer than a second. */
  quick: boolean;
  /** Whether the last try had an answer of any kind. */
  answering: boolean;
  /** Whether any of its changes wait in `webhook_due`. */
  waits: boolean;
  /** How many places were given to it now. */
  places: number;
}

/** A turn that the process has, and how many places it takes now; without any it ends. */
export interface HeldTurn extends TurnKey {
  sending: number;
}

/** What became of the webhooks that were asked for. */
export interface TurnsTaken {
  turns: Turn[];
  /** The webhooks that still wait for their turn. */
  waiting: string[];
  /** The turns that another process has taken over. */
  lost: string[];
  /** The webhooks of the turns that the process has, of which the database knows the places now. */
  known: string[];
}

/**
 * Seconds for which a turn is valid, and after which a process that is alive renews it. What a dead one had in flight counts for
 * its organization as long.
 */
export const lease = { valid: 10, renewed: 3 };

/** The lock of taking turns, as an expression: two processes that do so at once would both count the same places. */
export const turnsLock = `pg_advisory_xact_lock(hashtextextended('webhook turns', 0))`;

/**
 * A turn that a crash of PostgreSQL forgets is taken again, so nobody waits for the disk. A host that vanishes meanwhile does not keep
 * the others waiting for long.
 */
const beginTaking = sql`select ${raw(turnsLock)},
  set_config('synchronous_commit', 'off', true), set_config('idle_in_transaction_session_timeout', '5s', true)`;

interface Found extends Omit<Contender, 'wants'> {
  turn: string | null;
  taken: boolean;
  open: boolean;
}

/**
 * Takes turns of webhooks that want to send, with a share of the free places for each, and says of the turns that the process has
 * how many places they take.
 *
 * @param wanting the ids of webhooks that have something to send
 */
export async function takeTurns(
  db: Database,
  wanting: readonly string[],
  held: readonly HeldTurn[],
  free: Free,
): Promise<TurnsTaken> {
  return await db.transaction(async (unit) => {
    await unit.run(beginTaking);
    const found = await findContenders(unit, [...wanting, ...held.map(({ webhook_id: id }) => id)]);
    const byId = new Map(found.map((each) => [each.id, each]));
    const isOwn = ({ webhook_id: id, turn }: HeldTurn) => byId.get(id)?.turn === turn;
    const own = held.filter(isOwn);
    const lost = held.filter((each) => !isOwn(each));
    const ownById = new Map(own.map((each) => [each.webhook_id, each]));
    const sendingOf = ({ id, sending }: Found) => ownById.get(id)?.sending ?? sending;
    const mayTake = ({ id, open, taken }: Found) => open && (!taken || ownById.has(id));
    const wanted = new Set(wanting);
    const contenders = found.map((each) => ({
      ...each,
      sending: each.taken ? sendingOf(each) : 0,
      wants: wanted.has(each.id) && mayTake(each),
    }));
    const given = shareOut(contenders, free);
    const written = await writeTurns(unit, own, given);
    const turns = written.flatMap((each) => {
      const places = given.get(each.webhook_id);
      return places === undefined ? [] : { ...each, places };
    });
    const taken = new Set(turns.map(({ webhook_id: id }) => id));
    const waiting = found.filter(({ id, open }) => open && wanted.has(id) && !taken.has(id)).map(({ id }) => id);
    const known = written.map(({ webhook_id: id }) => id).filter((id) => ownById.has(id));
    return { turns, waiting, known, lost: lost.map(({ webhook_id: id }) => id) };
  });
}

/** The webhooks that any process sends for, and those that are asked for; who waits longest comes first. */
async function findContenders(unit: UnitOfWork, ids: readonly string[]): Promise<Found[]> {
  return await unit.rows<Found>(sql`select w.id, w.organization_id, o.maker_id, w.turn, w.sending, w.healthy and w.quick as healthy, w.answering,
      w.answering and coalesce(w.last_success_at, w.last_failure_at) is not null as answered,
      w.turn is not null and w.turn_until > now() as taken,
      w.status = 'active' as open
    from webhook w join organization o on o.id = w.organization_id where w.turn is not null or w.id = any(${ids}::uuid[])
    order by w.turn_until nulls first, w.id`);
}

/** Rows that are locked are passed over: nobody waits for another while all wait for the one who takes turns. */
async function writeTurns(
  unit: UnitOfWork,
  own: readonly HeldTurn[],
  given: ReadonlyMap<string, number>,
): Promise<Omit<Turn, 'places'>[]> {
  const changed = new Map(own.map(({ webhook_id: id, turn, sending }) => [id, { turn, sending }]));
  for (const [id, places] of given) {
    const { turn, sending } = changed.get(id) ?? { turn: randomUUID(), sending: 0 };
    changed.set(id, { turn, sending: sending + places });
  }
  if (changed.size === 0) return [];
  const all = [...changed.values()];
  await unit.run(lookUpOnly);
  return await unit.rows<Omit<Turn, 'places'>>(sql`with free as materialized (
      select id from webhook where id = any(${[...changed.keys()]}::uuid[]) for no key update skip locked
    )
    update webhook w set turn = case when n.sending > 0 then n.turn end, sending = n.sending,
      turn_until = now() + case when n.sending > 0 then make_interval(secs => ${lease.valid}) else interval '0' end
    from free join unnest(${[...changed.keys()]}::uuid[], ${all.map(({ turn }) => turn)}::uuid[],
      ${all.map(({ sending }) => sending)}::int[]) as n (id, turn, sending) on n.id = free.id
    where w.id = free.id
    returning w.id as webhook_id, w.organization_id,
      (select o.maker_id from organization o where o.id = w.organization_id) as maker_id, w.turn, w.url, ${sealedSecrets(sql`w.id`)} as secrets, w.kinds, w.place, w.redirected_at,
      w.healthy, w.quick, w.answering, exists (select from webhook_due d where d.webhook_id = w.id) as waits`);
}
