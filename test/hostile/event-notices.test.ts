import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { queueGatheredChanges } from '../../src/domain/event/event-mails.ts';
import { queueDueReminders } from '../../src/domain/event/reminder.ts';
import { silentLog } from '../support/log.ts';
import { type Signed, startPair } from '../support/pair.ts';
import { shared } from '../support/shared.ts';
import { startSmtp } from '../support/smtp.ts';

/** Milliseconds between two looks of a process. */
const polling = 500;

const smtp = await shared(startSmtp());
const pair = await startPair({ SMTP_URL: smtp.url }, [String(polling)]);
const face = pair.face(0);
const [manager] = (await pair.people(1, 'manager')) as [Signed];

const hour = 3_600_000;
const iso = (hours: number) => new Date(Date.now() + hours * hour).toISOString();

async function eventOf(people: Signed[], start: number): Promise<string> {
  const fields = { name: 'Open Day', status: 1, date_start: iso(start), date_end: iso(start + 1) };
  const { id } = (await face.createEvent(manager, fields)).value;
  for (const { userId } of people) await face.subscribe(manager, id, { user_id: userId, notify: false });
  return id;
}

/** How many mails each address got, and with which subjects. */
function tally(): { counts: Set<number>; subjects: Set<string | undefined>; addresses: number } {
  const byAddress = Map.groupBy(smtp.received, ({ to }) => String(to));
  return {
    counts: new Set([...byAddress.values()].map((mails) => mails.length)),
    subjects: new Set(smtp.received.map(({ mail }) => mail.subject)),
    addresses: byAddress.size,
  };
}

describe('mails that are due later', { timeout: 120_000 }, () => {
  it('are sent once by two processes that look for them by themselves', async () => {
    const [reminded, told] = [await pair.people(20), await pair.people(20)];
    const [near, moved] = [await eventOf(reminded, 200), await eventOf(told, 200)];
    await face.updateEvent(manager, moved, { location: 'Elsewhere' });
    // due when everybody is there, however long that took
    await pair.execute(`update event set date_start = now() + interval '23 hours' where id = ?`, [near]);
    await pair.execute("update event_change_notice set due_at = date_trunc('milliseconds', now())");
    await expect.poll(() => smtp.received.length, { timeout: 60_000, interval: 100 }).toBe(40);
    const { counts, subjects, addresses } = tally();
    expect({ counts, addresses }).toEqual({ counts: new Set([1]), addresses: 40 });
    expect([...subjects].map((subject) => subject?.split(':')[0]).sort()).toEqual(['New time or place', 'Starts soon']);
  });

  it('are queued once by many who look at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      smtp.received.length = 0;
      const event = await eventOf(await pair.people(10), 200);
      await face.updateEvent(manager, event, { location: 'Elsewhere' });
      await pair.execute(`update event set date_start = now() + interval '23 hours' where id = ?`, [event]);
      await pair.execute("update event_change_notice set due_at = date_trunc('milliseconds', now())");
      const looks = Array.from({ length: 6 }, (_, index) =>
        (index % 2 === 0 ? queueDueReminders : queueGatheredChanges)({
          db: new PostgresDatabase(pair.orm),
          bounded: true,
          log: silentLog,
        }),
      );
      await Promise.all(looks);
      await expect
        .poll(() => pair.execute(`select id from job where lane in ('event_mails', 'notices')`), {
          interval: 100,
        })
        .toEqual([]);
      expect(tally()).toMatchObject({ counts: new Set([2]), addresses: 10 });
    }
  });
});
