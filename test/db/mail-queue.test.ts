import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { passwordChangedMail } from '../../src/domain/account/account-mail.ts';
import { fanOutNotice } from '../../src/domain/event/fan-out-notice.ts';
import { queueMail } from '../../src/domain/mail/mail.ts';
import { mailJobs } from '../../src/domain/subscription/queue-mails.ts';
import { changeMail } from '../../src/domain/subscription/subscription-mail.ts';
import { insertUser } from '../support/fixtures.ts';
import { queueNotices } from '../support/notices.ts';
import { useOutboxes } from '../support/outboxes.ts';
import { insertSubscribers } from '../support/subscribers.ts';

const here = useOutboxes();
const { startOutbox, world, switchTo, mailsTo } = here;

describe('the queue', () => {
  it('lets organizations take turns, however much one has waiting', async () => {
    const [large, small] = [await world(), await world()];
    await insertSubscribers(here.orm, large.eventId, 2_000);
    await switchTo(large.eventId, 2);
    here.smtp.delayOf = () => 5;
    await startOutbox({ limited: false });
    await expect.poll(() => here.smtp.received.length).toBeGreaterThan(10);
    const before = here.smtp.received.length;
    await switchTo(small.eventId, 2);
    await expect.poll(() => mailsTo(small.email), { interval: 5 }).toHaveLength(1);
    expect(here.smtp.received.length - before).toBeLessThan(200);
  });

  it('keeps slots for the mails that somebody waits for while all mails about events are slow', async () => {
    const { eventId } = await world();
    await insertSubscribers(here.orm, eventId, 50);
    await switchTo(eventId, 2);
    const { id, email } = await insertUser(here.orm, { email: `link-${randomUUIDv7()}@example.org` });
    here.smtp.delayOf = (to) => (to.includes(email) ? 0 : 60_000);
    await startOutbox({ limited: false });
    await expect.poll(() => here.smtp.heard.length).toBeGreaterThan(5);
    await queueMail({ db: here.db }, passwordChangedMail, { userId: id });
    await expect.poll(() => mailsTo(email), { interval: 25 }).toHaveLength(1);
  });

  it('sends a mail after the notice of an earlier change that is still being queued', async () => {
    const { eventId, subscriptionId, email } = await world();
    await here.db.transaction((unit) =>
      fanOutNotice({ db: unit, bounded: true }, eventId, 'reinstated', { cancelled: true }),
    );
    const told = { status: 'accepted' as const };
    await here.db.run(
      mailJobs(changeMail, [{ subscriptionId, status: 'pending', by: 'manager', told }], { bounded: true }),
    );
    await startOutbox();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(here.smtp.received).toEqual([]);
    await queueNotices(here.db);
    await expect.poll(() => mailsTo(email)).toHaveLength(2);
    expect(mailsTo(email).map(({ subject }) => subject?.split(':')[0])).toEqual([
      'Going ahead after all',
      'Waiting for approval',
    ]);
  });
});
