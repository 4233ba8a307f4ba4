import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import { DomainError, fault } from '../../kernel/errors.ts';
import { clientNetwork } from '../../kernel/limits/client-network.ts';
import { type OrganizationRole, requireRole } from '../../kernel/roles.ts';
import { countWrites } from '../command.ts';
import type { Context } from '../context.ts';
import { type Transaction, transaction } from '../transaction.ts';

/** An answer as its interface wrote it, which alone knows what the parts mean: a retry with the same key gets the same. */
export interface Answer {
  outcome: number;
  attributes: Readonly<Record<string, string>>;
  body: string;
}

/** Hours for which a response is stored. */
export const keptHours = 24;

/** The maximum size of a stored response: that of the largest body, which some writes return, and what is around it. */
const maxKeptBytes = (1024 + 16) * 1024;

/** A request with an `Idempotency-Key`. */
export interface Asked {
  /** Null if several were given. */
  key: string | null;
  /** What the key is used with. */
  request: readonly (string | Buffer)[];
  /**
   * How many writes it counts as. They are counted before the transaction, which would otherwise hold one connection while
   * it waits for another.
   */
  writes: number;
  /**
   * The roles that it needs. Who lacks one is told that, and nothing of the key: the order of checks
   * (interface/writes.md#order-of-checks).
   */
  roles: readonly OrganizationRole[];
}

/**
 * Runs a write under a key: once, however often it is requested (interface/writes.md#idempotency-keys). The response is
 * committed with the write, so that it survives a crash; the key of a process that died is free again when its
 * connection ends. What `answer` does not want to keep is rolled back.
 *
 * @throws DomainError RATE_LIMITED; VALIDATION_ERROR for a malformed key; IDEMPOTENCY_MISMATCH if it was used with another
 * request, CONFLICT while the first one runs, INVALID_QUERY for a response that is too large to store, and what `answer`
 * throws
 */
export async function answerOnce<C extends Context>(
  ctx: C,
  { key: given, request, writes, roles }: Asked,
  answer: (tx: Transaction<C>) => Promise<{ answer: Answer; keep: boolean }>,
): Promise<{ answer: Answer; replayed: boolean }> {
  await countWrites(ctx, writes);
  const refusal = (error: DomainError): DomainError => {
    for (const role of roles) requireRole(ctx, role);
    return error;
  };
  const key = soundKey(given);
  if (key === null) throw refusal(fault('VALIDATION_ERROR', '/Idempotency-Key', soundKeys));
  const id = keyId(ctx, key);
  const digest = hash(request);
  try {
    return await transaction(ctx, async (tx) => {
      const isFree = await lockKey(tx, id);
      // retries do not stand in each other's way
      const known = await findAnswer(tx, id);
      if (known && !known.request.equals(digest)) throw refusal(new DomainError('IDEMPOTENCY_MISMATCH'));
      if (known) return { answer: known.answer, replayed: true };
      if (!isFree) throw running();
      const made = await answer(tx);
      if (!made.keep) throw new NotKept(made.answer);
      await keepAnswer(tx, id, digest, made.answer);
      return { answer: made.answer, replayed: false };
    });
  } catch (error) {
    if (error instanceof NotKept) return { answer: error.answer, replayed: false };
    throw error;
  }
}

/** Rolls the transaction back; the response is still sent. */
class NotKept extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('the response is not stored');
    this.answer = answer;
  }
}

const soundKeys = 'An Idempotency-Key has 1 to 255 visible ASCII characters.';

/** Null for a malformed key. */
function soundKey(key: string | null): string | null {
  return key !== null && /^[\x21-\x7e]{1,255}$/.test(key) ? key : null;
}

/** Keys are separate for each user and organization, or for each network without a user. */
function keyId({ viewer, membership, publicScope, client }: Context, key: string): Buffer {
  const owner = viewer ? `user ${viewer.userId}` : `network ${clientNetwork(client.ip)}`;
  return hash([owner, membership?.organizationId ?? publicScope?.organizationId ?? '', key]);
}

/**
 * Whether no other request with the key is running; if so, none can begin. A statement of its own: the next one sees what
 * was committed before it.
 */
async function lockKey(tx: Transaction, id: Buffer): Promise<boolean> {
  const lock = await tx.db.row<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${id.readBigInt64BE(0).toString()}::bigint) as taken`,
  );
  return lock?.taken ?? false;
}

function running(): DomainError {
  return new DomainError('CONFLICT', {
    detail: 'A request with this Idempotency-Key is still running.',
    retryAfter: 1,
  });
}

function tooLargeToKeep(): DomainError {
  return new DomainError('INVALID_QUERY', {
    detail:
      'The response to a request with an Idempotency-Key has more than 1 MiB, so nothing was changed; change fewer objects at once, or select fewer fields.',
  });
}

async function findAnswer(tx: Transaction, id: Buffer): Promise<{ request: Buffer; answer: Answer } | null> {
  const stored = await tx.db.row<
    Answer & { request: Buffer }
  >(sql`select request, status as outcome, headers as attributes, body from idempotency_key
      where id = ${id} and created_at > now() - make_interval(hours => ${keptHours})`);
  if (!stored) return null;
  const { request, ...answer } = stored;
  return { request, answer };
}

/** Stores the answer; that of a stranger only if the transaction wrote something, or was about to. */
async function keepAnswer(tx: Transaction, id: Buffer, request: Buffer, answer: Answer): Promise<void> {
  const { outcome, attributes, body } = answer;
  if (Buffer.byteLength(body) > maxKeptBytes) throw tooLargeToKeep();
  await tx.db.flush();
  // a transaction without an id wrote nothing: a retry does nothing twice, and what no limit counts must leave no rows
  await tx.db.run(sql`insert into idempotency_key (id, request, status, headers, body, created_at)
      select ${id}::bytea, ${request}::bytea, ${outcome}::int, ${JSON.stringify(attributes)}::jsonb, ${body}::text, now()
      where ${tx.viewer !== null} or pg_current_xact_id_if_assigned() is not null
      on conflict (id) do update set request = excluded.request, status = excluded.status,
        headers = excluded.headers, body = excluded.body, created_at = excluded.created_at`);
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
