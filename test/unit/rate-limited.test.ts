import { expect, it } from 'vitest';
import { DomainError } from '../../src/kernel/errors.ts';
import { refusalOf, rules } from '../../src/kernel/limits/rules.ts';

it('a refusal by a limit says in its detail when to retry', () => {
  const detailOf = (retryAfter: number) => new DomainError('RATE_LIMITED', { detail: 'Too many.', retryAfter }).detail;
  expect(detailOf(0.2)).toBe('Too many. Retry in 1 second.');
  expect(detailOf(58.1)).toBe('Too many. Retry in 59 seconds.');
  expect(new DomainError('RATE_LIMITED', { retryAfter: 2 }).message).toBe('Too many requests. Retry in 2 seconds.');
  expect(new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 2 }).detail).toBeUndefined();
});

it('every rule says what it counts', () => {
  expect(refusalOf('write')).toBe('At most 300 writes of one user a minute.');
  expect(refusalOf('login_account')).toBe('At most 10 failed sign-ins of one account in 15 minutes.');
  expect(refusalOf('mailbox')).toBe('At most 3 mails to one mailbox an hour.');
  for (const rule of Object.keys(rules) as (keyof typeof rules)[])
    expect(refusalOf(rule)).toMatch(/^At most \d+ [a-z][A-Za-z ,-]+ (a minute|an hour|a day|in \d+ (minutes|days))\.$/);
});
