import type { IncomingMessage } from 'node:http';
import { DomainError } from '../kernel/errors.ts';

/** A name or an address, and a port; empty for a target without an authority (RFC 9110, section 7.2). */
const wellFormed = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]\\]*)(?::\d{0,5})?$/i;

/**
 * Requires exactly one well-formed Host (RFC 9112, section 3.2); Node's own refusal has no body.
 *
 * @throws DomainError VALIDATION_ERROR
 */
export function requireHost({ httpVersion, headers, headersDistinct }: IncomingMessage): void {
  const { host } = headers;
  if (host === undefined && httpVersion !== '1.1') return;
  if (host === undefined) throw new DomainError('VALIDATION_ERROR', { detail: 'The header Host is missing.' });
  if (!wellFormed.test(host) || (headersDistinct.host?.length ?? 0) > 1) {
    throw new DomainError('VALIDATION_ERROR', { detail: 'The header Host is not a valid host.' });
  }
}
