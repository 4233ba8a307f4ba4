import { isDeepStrictEqual } from 'node:util';
import { camelCase } from '../../src/schema/relay/dialect.ts';
import type { Answer } from './line.ts';

/** Two answers that should say the same. */
export class Difference extends Error {}

/** A bound of the service put a request off, so there is nothing to compare. */
export class PutOff extends Error {}

export interface Refusal {
  code: string;
  /** What is wrong, in the words of GraphQL. */
  pointers: string[];
}

/** Why a request was refused, by whichever face; null if it was not. @throws PutOff */
export function refusalOf({ status, body, text }: Answer): Refusal | null {
  const { code, errors } = (body ?? {}) as { code?: string; errors?: unknown[] };
  const [error] = (errors ?? []) as { extensions?: { code: string; errors?: { pointer: string }[] } }[];
  const refused =
    error?.extensions ?? (status >= 400 ? { code: code as string, errors: errors as { pointer: string }[] } : null);
  if (!refused) return null;
  if (!/^[A-Z_]+$/.test(refused.code)) throw new Error(`a refusal without a code: ${status} ${text.slice(0, 300)}`);
  if (refused.code === 'RATE_LIMITED') throw new PutOff();
  return { code: refused.code, pointers: (refused.errors ?? []).map(({ pointer }) => sharedPointer(pointer)).sort() };
}

/** What a pointer means, whichever face's it is: each has its own names and its own way to write a comparison. */
const sharedPointer = (pointer: string) =>
  camelCase(pointer)
    .replaceAll('$', '')
    .replace(/\/(eq|contains)$/, '')
    .replace(/^\/(after|before)$/, '/token');

/** @throws Difference with both */
export function expectSame(what: string, rest: unknown, graphql: unknown): void {
  if (isDeepStrictEqual(rest, graphql)) return;
  throw new Difference(`${what} differs\n  REST:    ${shown(rest)}\n  GraphQL: ${shown(graphql)}`);
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 1_500);

/**
 * Compares what became of a request. What the schema of GraphQL refuses already has a code of its own there, and is refused
 * before the role and the idempotency key are looked at (reference/writes.md#order-of-checks).
 *
 * @param faulty the code of REST for a request that the schema of GraphQL refuses
 * @throws Difference, or PutOff
 */
export function expectSameRefusal(rest: Answer, graphql: Answer, faulty: string): void {
  const [ours, theirs] = [refusalOf(rest), refusalOf(graphql)];
  const isOfSchema =
    theirs?.code === 'GRAPHQL_VALIDATION_FAILED' &&
    [faulty, 'FORBIDDEN', 'IDEMPOTENCY_MISMATCH'].includes(String(ours?.code));
  if (isOfSchema || isDeepStrictEqual(ours, theirs)) return;
  const [first, second] = [rest, graphql].map(({ status, text }) => `${status} ${text.slice(0, 700)}`);
  throw new Difference(`what was refused differs\n  REST:    ${first}\n  GraphQL: ${second}`);
}
