import { sql } from 'kysely';
import { built, type Pool, readSnapshot, type Snapshot } from '#postgres-access';
import { Delivery, SlowReaders } from '#slow-readers';
import { DomainError } from '../kernel/errors.ts';
import type { Requester } from '../kernel/request.ts';
import { inTurn, Turns } from '../kernel/turns/turns.ts';

/** Milliseconds that a snapshot may last (reference/calendars-and-exports.md#limits-of-exports). */
const longest = 600_000;
/** The maximum number of concurrent snapshots per user, across all processes. */
const slotsOfUser = 2;

/** A snapshot for a client. */
interface DeliveredSnapshot extends Snapshot {
  /** Records how fast the client reads: one that is too slow loses the snapshot. */
  delivery: Delivery;
}

export interface SnapshotRequest extends Requester {
  services: { limits: { enabled: boolean } };
}

/** With connections of their own, since an export may take minutes. */
export class Snapshots {
  readonly #pool: Pool;
  readonly #turns: Turns;
  readonly #slowReaders: SlowReaders;

  constructor(pool: Pool) {
    this.#pool = pool;
    const { max: connections, connectionTimeoutMillis: patience = 0 } = pool.options;
    this.#turns = new Turns({ connections, userShare: 100, organizationShare: 100, patience });
    this.#slowReaders = new SlowReaders(connections);
  }

  /**
   * Runs `work` on a snapshot, which ends when the client disconnects or reads very slowly, and after ten minutes.
   *
   * @throws DomainError RATE_LIMITED if the viewer has two snapshots; SERVICE_UNAVAILABLE if none is free in time
   */
  async read<Result>(ctx: SnapshotRequest, work: (snapshot: DeliveredSnapshot) => Promise<Result>): Promise<Result> {
    const delivery = new Delivery();
    const stopWaiting = this.#slowReaders.makeRoom(ctx.membership?.organizationId ?? null);
    const options = {
      begun: (end: (why: Error) => void) => this.#watch(ctx, delivery, end),
      admit: async (snapshot: Snapshot) => {
        if (ctx.waits.gone) throw ctx.waits.gone;
        await takeSlot(ctx, snapshot);
      },
    };
    try {
      // one organization never has the last connection (note 0030)
      return await inTurn(ctx, this.#turns, () => {
        stopWaiting();
        if (ctx.waits.gone) throw ctx.waits.gone;
        return readSnapshot(this.#pool, options, (snapshot) => work({ delivery, ...snapshot }));
      });
    } finally {
      stopWaiting();
    }
  }

  #watch(ctx: SnapshotRequest, delivery: Delivery, end: (why: Error) => void): () => void {
    const late = setTimeout(() => end(new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 60 })), longest);
    ctx.waits.add(end);
    const unwatch = this.#slowReaders.watch({
      party: ctx.membership?.organizationId ?? null,
      delivery,
      end: () => {
        const user = { requestId: ctx.client.requestId, userId: ctx.viewer?.userId ?? '' };
        ctx.log.warn(user, 'an export was ended: its client reads too slowly');
        end(new DomainError('RATE_LIMITED', { detail: 'The export was read too slowly.', retryAfter: 60 }));
      },
    });
    return () => {
      clearTimeout(late);
      unwatch();
      ctx.waits.delete(end);
    };
  }
}

/** Takes one of the user's slots until the transaction ends. @throws DomainError RATE_LIMITED if there is none */
async function takeSlot({ services, viewer }: SnapshotRequest, snapshot: Snapshot): Promise<void> {
  // the first statement decides what the snapshot shows
  if (!services.limits.enabled) {
    await snapshot.rows({ sql: 'select 1', parameters: [] });
    return;
  }
  for (let slot = 0; slot < slotsOfUser; slot += 1) {
    const key = `snapshot ${viewer?.userId ?? ''}`;
    const [row] = await snapshot.rows(
      built(sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${key}, ${slot})) as taken`),
    );
    if (row?.taken) return;
  }
  const detail = `A user can run at most ${slotsOfUser} exports at once.`;
  throw new DomainError('RATE_LIMITED', { detail, retryAfter: 10 });
}
