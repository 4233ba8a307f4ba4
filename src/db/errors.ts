import { DomainError, type DomainErrorOptions, type ErrorCode, fault } from '../domain/errors.ts';

/** Seconds after which a client may try again when the database is away. */
const retryAfter = 2;

function conflict(detail: string) {
  return (cause: unknown) => new DomainError('CONFLICT', { detail, cause });
}

function invalid(pointer: string, detail: string) {
  return () => fault('VALIDATION_ERROR', pointer, detail);
}

/** What the breach of each constraint means to a client. Use cases check first; this is for those who were faster. */
const constraints: Record<string, (cause: unknown) => DomainError> = {
  organization_slug_unique: conflict('An organization with this slug exists already.'),
  user_email_lower_unique: conflict('An account with this e-mail address exists already.'),
  membership_organization_id_user_id_unique: conflict('This user is a member already.'),
  event_organization_id_slug_unique: conflict('An event with this slug exists already.'),
  event_organization_id_foreign: conflict('The organization does not exist any more.'),
  subscription_event_id_foreign: conflict('The event does not exist any more.'),
  subscription_user_id_foreign: conflict('The user does not exist any more.'),
  membership_organization_id_foreign: conflict('The organization does not exist any more.'),
  membership_user_id_foreign: conflict('The user does not exist any more.'),
  session_user_id_foreign: conflict('The user does not exist any more.'),
  event_dates_check: invalid('/date_end', 'The event must not end before it starts.'),
  event_capacity_check: invalid('/capacity', 'The capacity must not be negative.'),
  event_status_check: invalid('/status', 'The status must be 0, 1, 2 or 3.'),
};

/** Codes of Node.js for a server that cannot be reached, or is gone. */
const network = /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)$/;

/**
 * States of PostgreSQL that pass: connection lost, read only after a failover, transaction that lost against another
 * (40001, 40P01) or stood idle, resources exhausted, lock or statement timeout, shutdown (PostgreSQL, appendix A).
 */
const passing = /^(08...|25006|25P03|40001|40P01|53...|55P03|57014|57P0[1-5]|58...)$/;

/** What `pg` and its pool say without a code. */
const lost =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end on the pool|Query read timeout)/;

/**
 * Turns an error of the driver, as the ORM or `pg` itself throws it, into the expected failure that it is.
 * Anything else is returned as it came: it is a defect, to be masked and logged.
 */
export function toDomainError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  const code = text(error, 'code');
  const constraint = text(error, 'constraint');
  const known = code.startsWith('23') ? constraints[constraint] : undefined;
  if (known) return known(error);
  if (code === '23505') return expected('CONFLICT', { cause: error });
  if (network.test(code) || passing.test(code) || lost.test(error.message)) {
    return expected('SERVICE_UNAVAILABLE', { retryAfter, cause: error });
  }
  return error;
}

function expected(code: ErrorCode, options: DomainErrorOptions): DomainError {
  return new DomainError(code, options);
}

function text(error: Error, key: string): string {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : '';
}
