import { ConnectionFailure } from '#postgres-access';
import { DomainError, fault } from '../kernel/errors.ts';

/** Seconds after which a client may retry if the database is down. */
const retryAfter = 2;

function conflict(detail: string) {
  return (cause: unknown) => new DomainError('CONFLICT', { detail, cause });
}

function invalid(pointer: string, detail: string) {
  return () => fault('VALIDATION_ERROR', pointer, detail);
}

/** The client error for each violated constraint. Commands check first, so this covers concurrent writes. */
const constraints: Record<string, (cause: unknown) => DomainError> = {
  organization_slug_unique: conflict('An organization with this slug already exists.'),
  user_mailbox_unique: conflict('An account with this e-mail address already exists.'),
  membership_organization_id_user_id_unique: conflict('This user is already a member.'),
  event_organization_id_slug_unique: conflict('An event with this slug already exists.'),
  event_organization_id_foreign: conflict('The organization no longer exists.'),
  subscription_event_id_foreign: conflict('The event no longer exists.'),
  subscription_user_id_foreign: conflict('The user no longer exists.'),
  membership_organization_id_foreign: conflict('The organization no longer exists.'),
  membership_user_id_foreign: conflict('The user no longer exists.'),
  session_user_id_foreign: conflict('The user no longer exists.'),
  event_dates_check: invalid('/date_end', 'The event must not end before it starts.'),
  event_capacity_check: invalid('/capacity', 'The capacity must not be negative.'),
  event_status_check: invalid('/status', 'The status must be draft, active, cancelled or archived.'),
};

/** Node.js error codes for a server that cannot be reached or is gone. */
const network = /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)$/;

/** Transient SQLSTATEs: lost connections, failovers, deadlocks, timeouts, resources, shutdown (PostgreSQL, appendix A). */
const transient = /^(08...|25006|25P0[34]|40001|40P01|53...|55P03|57014|57P0[1-5]|58...)$/;

/** Messages of `pg` and its pool without a code. */
const lost =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end on the pool|Query read timeout)/;

/** Converts an error from the ORM or `pg` to an expected failure; any other error is a defect, and returned unchanged. */
export function toDomainError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  if (error instanceof ConnectionFailure) return unavailable(error);
  const code = text(error, 'code');
  const known = code.startsWith('23') ? constraints[text(error, 'constraint')] : undefined;
  if (known) return known(error);
  if (code === '23505') return new DomainError('CONFLICT', { cause: error });
  if (network.test(code) || transient.test(code) || lost.test(error.message)) {
    return unavailable(error);
  }
  return error;
}

/** Wrong password, no such role, no such database (PostgreSQL, appendix A). */
const rejected = /^(28...|3D000)$/;

/** Why no connection could be made; null for another failure. */
export function connectFailure(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = text(error, 'code');
  if (!network.test(code) && !rejected.test(code) && !lost.test(error.message)) return null;
  // Node.js has no message for a name with several addresses
  return error.message || code;
}

function unavailable(cause: Error): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', { retryAfter, cause });
}

function text(error: Error, key: string): string {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : '';
}
