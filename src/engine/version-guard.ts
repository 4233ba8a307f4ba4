import { DomainError } from '../kernel/errors.ts';

/** The versions that a client expects (`If-Match`, `ifVersion`); `any` is `*`, which matches every version. */
export type VersionGuard = readonly number[] | 'any';

/** @throws DomainError PRECONDITION_FAILED if the version is not one that the client expects */
export function requireVersion(guard: VersionGuard | undefined, version: number): void {
  if (guard === undefined || guard === 'any' || guard.includes(version)) return;
  throw new DomainError('PRECONDITION_FAILED', { detail: `The current version is ${version}.` });
}
