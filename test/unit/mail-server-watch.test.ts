import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MailServerWatch } from '../../src/jobs/mail-server-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refused = async () => {
  throw new Error('refused');
};

it('looks every two seconds at a server that is away, however many mails wait, and resumes once', async () => {
  const reach = vi.fn(refused);
  const resume = vi.fn(async () => undefined);
  const watch = new MailServerWatch({ reach, resume });
  for (let mail = 0; mail < 5; mail += 1) watch.noteAway();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reach).toHaveBeenCalledTimes(10);
  expect(resume).not.toHaveBeenCalled();
  reach.mockImplementation(async () => undefined as never);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reach).toHaveBeenCalledTimes(11);
  expect(resume).toHaveBeenCalledTimes(1);
});

it('tries a server that comes and goes less and less often, until it takes a mail', async () => {
  const resume = vi.fn(async () => undefined);
  const watch = new MailServerWatch({ reach: async () => undefined, resume });
  // each time what was resumed is refused at once
  resume.mockImplementation(async () => void queueMicrotask(() => setTimeout(() => watch.noteAway(), 1)));
  watch.noteAway();
  await vi.advanceTimersByTimeAsync(600_000);
  const slowly = resume.mock.calls.length;
  expect(slowly).toBeLessThanOrEqual(15);
  expect(slowly).toBeGreaterThan(5);
  watch.noteTaken();
  await vi.advanceTimersByTimeAsync(70_000);
  expect(resume.mock.calls.length - slowly).toBeGreaterThanOrEqual(4);
});

it('looks no more once it is stopped', async () => {
  const reach = vi.fn(refused);
  const watch = new MailServerWatch({ reach, resume: async () => undefined });
  watch.noteAway();
  watch.stop();
  watch.noteAway();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reach).not.toHaveBeenCalled();
});
