import { createHash } from 'node:crypto';
import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared, statementBuilder } from '#postgres-access';
import { isSealed, type Seal } from '#sealed-text';
import { DomainError, fault } from '../../kernel/errors.ts';
import { clientNetwork } from '../../kernel/limits/client-network.ts';
import { admitWrites, type Needs, readAhead, requireAllowed } from '../command.ts';
import type { Context } from '../context.ts';
import { type Transaction, transaction } from '../transaction.ts';
import type { IdempotencyKey } from './idempotency-key.table.ts';

/** A response in the form of its API. */
export interface Answer {
  outcome: number;
  attributes: Readonly<Record<string, string>>;
  body: string;
}

/** How many hours a response is stored. */
export const keptHours = 24;

/** The maximum size of a stored response: the largest body of a request, and what wraps it. */
const maxKeptBytes = (1024 + 16) * 1024;

/** A request with an `Idempotency-Key`. */
export interface Asked {
  /** Null if the header was sent several times. */
  key: string | null;
  /** The parts that identify the request: the key is valid for these only. */
  request: readonly (string | Buffer)[];
  /** How many writes it counts as, before the transaction: one that holds a connection must not wait for another. */
  writes: number;
  /** A viewer who lacks these gets FORBIDDEN rather than an error about the key (reference/writes.md#order-of-checks). */
  needs: readonly Needs[];
  /** Whether the response shows a secret, and so is stored encrypted. */
  secret: boolean;
}

/**
 * Runs a write once per key (reference/writes.md#idempotency-keys). The response is committed with the write; if the process
 * dies before that, the key's lock is released with its connection. If `answer` returns `keep: false`, the write is rolled
 * back.
 *
 * @throws DomainError RATE_LIMITED; FORBIDDEN for an API key that only reads; VALIDATION_ERROR for a malformed key;
 * IDEMPOTENCY_MISMATCH if the key was used for another request; CONFLICT while the first request is running, or if its
 * response can no longer be read; INVALID_QUERY if the response is too large to store; and what `answer` throws
 */
export async function answerOnce<C extends Context>(
  ctx: C,
  { key, request, writes, needs, secret }: Asked,
  answer: (tx: Transaction<C>) => Promise<{ answer: Answer; keep: boolean }>,
): Promise<{ answer: Answer; replayed: boolean }> {
  await admitWrites(ctx, writes);
  const refusal = (error: DomainError): DomainError => {
    for (const each of needs) requireAllowed(ctx, each);
    return error;
  };
  if (key === null || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    const detail = 'An Idempotency-Key has 1 to 255 visible ASCII characters.';
    throw refusal(fault('VALIDATION_ERROR', '/Idempotency-Key', detail));
  }
  const id = keyId(ctx, key);
  const digest = hash(request);
  const entry = await enter(ctx, { id: id.toString('hex'), digest }, refusal);
  try {
    await readAhead(ctx, needs);
    return await transaction(ctx, async (tx) => {
      const lock = await tx.db.row(tryLock({ key: id.readBigInt64BE(0).toString() }));
      // without the lock: several retries can read a response at once
      const stored = await tx.db.row(storedAnswer({ id }));
      entry.tell(lock?.taken === true && !stored);
      if (stored) {
        const { request: first, ...known } = stored;
        if (!digest.equals(first)) throw refusal(mismatch());
        return { answer: readable(tx, known, sealOf(id, key)), replayed: true };
      }
      if (!lock?.taken) throw refusal(running());
      const made = await answer(tx);
      if (!made.keep) throw new NotKept(made.answer);
      const { body } = made.answer;
      const kept = secret ? tx.services.sealer.seal(body, sealOf(id, key)) : body;
      await keepAnswer(tx, id, digest, { ...made.answer, body: kept });
      return { answer: made.answer, replayed: false };
    });
  } catch (error) {
    if (error instanceof NotKept) return { answer: error.answer, replayed: false };
    throw error;
  } finally {
    entry.leave();
  }
}

interface UnderWay {
  digest: Buffer;
  /** Whether it is the first with its key, once that is known; false if it ended before. */
  isFirst: Promise<boolean>;
}

/** The requests that this process is answering, by their keys. */
const requestsUnderWay = new WeakMap<Context['services'], Map<string, UnderWay>>();

/**
 * Refuses a request at once if the first with its key is running in this process: otherwise its turn might come only when that
 * one has ended.
 *
 * @throws DomainError CONFLICT, IDEMPOTENCY_MISMATCH
 */
async function enter(
  { services }: Context,
  { id, digest }: { id: string; digest: Buffer },
  refusal: (error: DomainError) => DomainError,
): Promise<{ tell(isFirst: boolean): void; leave(): void }> {
  const underWay = requestsUnderWay.get(services) ?? new Map<string, UnderWay>();
  requestsUnderWay.set(services, underWay);
  for (let other = underWay.get(id); other; other = underWay.get(id)) {
    if (!(await other.isFirst)) continue;
    throw refusal(other.digest.equals(digest) ? running() : mismatch());
  }
  const { promise: isFirst, resolve } = Promise.withResolvers<boolean>();
  const own = { digest, isFirst };
  underWay.set(id, own);
  const leave = () => {
    if (underWay.get(id) === own) underWay.delete(id);
    resolve(false);
  };
  return { tell: (isFirst) => (isFirst ? resolve(true) : leave()), leave };
}

/** The database and ENCRYPTION_KEY together do not reveal a stored secret: it opens only with the `Idempotency-Key` itself. */
function sealOf(id: Buffer, key: string): Seal {
  return { purpose: 'stored response', binding: id.toString('hex'), secret: key };
}

/** @throws DomainError CONFLICT if the key that encrypted a secret was revoked */
function readable({ services }: Context, answer: Answer, seal: Seal): Answer {
  if (!isSealed(answer.body)) return answer;
  const body = services.sealer.open(answer.body, seal);
  if (body === null)
    throw new DomainError('CONFLICT', { detail: 'The secret in the first response can no longer be read.' });
  return { ...answer, body };
}

/** Rolls back the transaction; the response is still sent. */
class NotKept extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('the response is not stored');
    this.answer = answer;
  }
}

/** Keys are separate for each user and organization; without a user, for each network. */
function keyId({ viewer, membership, publicScope, client }: Context, key: string): Buffer {
  const owner = viewer ? `user ${viewer.userId}` : `network ${clientNetwork(client.ip)}`;
  return hash([owner, membership?.organizationId ?? publicScope?.organizationId ?? '', key]);
}

const keys = statementBuilder<InferKyselyDB<typeof IdempotencyKey, { columnNamingStrategy: 'property' }>>();

/** A separate statement, so that the next one sees everything committed before the lock was taken. */
const tryLock = prepared((at: { key: string }) =>
  keys.selectNoFrom(sql<boolean>`pg_try_advisory_xact_lock(${at.key}::bigint)`.as('taken')),
);

function running(): DomainError {
  return new DomainError('CONFLICT', {
    detail: 'A request with this Idempotency-Key is still running.',
    retryAfter: 1,
  });
}

function mismatch(): DomainError {
  return new DomainError('IDEMPOTENCY_MISMATCH', {
    detail:
      'The first request with this Idempotency-Key had another method, path or body. Use a new key, or repeat the same bytes.',
  });
}

const storedAnswer = prepared((at: { id: Buffer }) =>
  keys
    .selectFrom('idempotency_key')
    .select(['request', 'status as outcome', 'headers as attributes', 'body'])
    .where('id', '=', at.id)
    .where('created_at', '>', sql<string>`now() - make_interval(hours => ${sql.lit(keptHours)})`),
);

interface Kept {
  id: Buffer;
  request: Buffer;
  status: number;
  headers: string;
  body: string;
  concerns: readonly string[];
  signedIn: boolean;
}

// a transaction without an id wrote nothing: requests that no limit counts must not add rows, and a retry is harmless
const keep = prepared(
  (at: Kept) => sql<never>`insert into idempotency_key (id, request, status, headers, body, concerns, created_at)
    select ${at.id}::bytea, ${at.request}::bytea, ${at.status}::int, ${at.headers}::jsonb, ${at.body}::text, ${at.concerns}::uuid[], now()
    where ${at.signedIn} or pg_current_xact_id_if_assigned() is not null
    on conflict (id) do update set request = excluded.request, status = excluded.status,
      headers = excluded.headers, body = excluded.body, concerns = excluded.concerns, created_at = excluded.created_at`,
);

/** Stores the response; for a client that is not signed in, only if the transaction wrote something. */
async function keepAnswer(tx: Transaction, id: Buffer, request: Buffer, answer: Answer): Promise<void> {
  const { outcome, attributes, body } = answer;
  if (Buffer.byteLength(body) > maxKeptBytes) {
    const detail =
      'The response is larger than 1 MiB and cannot be stored for the Idempotency-Key, so nothing was changed; change fewer objects at once, or select fewer fields.';
    throw new DomainError('INVALID_QUERY', { detail });
  }
  await tx.em.flush();
  const concerns = [...tx.concerns, ...(tx.viewer ? [tx.viewer.userId] : [])];
  const signedIn = tx.viewer !== null;
  const kept = { id, request, status: outcome, headers: JSON.stringify(attributes), body, concerns, signedIn };
  await tx.db.run(keep(kept));
}

/** A hash of parts with unambiguous boundaries. */
function hash(parts: readonly (string | Buffer)[]): Buffer {
  const digest = createHash('sha256');
  for (const part of parts) {
    const bytes = Buffer.from(part);
    digest.update(`${bytes.length} `).update(bytes);
  }
  return digest.digest();
}
