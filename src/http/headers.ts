import type { IncomingMessage } from 'node:http';
import { DomainError } from '../kernel/errors.ts';

/** A host name or address, with an optional port; empty for a target without an authority (RFC 9110, section 7.2). */
const wellFormed = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]\\]*)(?::\d{0,5})?$/i;

/** RFC 9112, section 3.2. Node's own check would respond without a body. @throws DomainError VALIDATION_ERROR */
export function requireHost({ httpVersion, headers, headersDistinct }: IncomingMessage): void {
  const { host } = headers;
  if (host === undefined && httpVersion !== '1.1') return;
  if (host === undefined) throw new DomainError('VALIDATION_ERROR', { detail: 'The header Host is missing.' });
  if (!wellFormed.test(host) || (headersDistinct.host?.length ?? 0) > 1) {
    throw new DomainError('VALIDATION_ERROR', { detail: 'The header Host is not a valid host.' });
  }
}

/** The value of a header that must not be repeated; null if it is absent or repeated. */
export function onlyValue(values: readonly string[] | undefined): string | null {
  return (values?.length === 1 ? values[0] : null) ?? null;
}
