import { LRUCache } from 'lru-cache';
import { type Html, html } from '#html-forms';

const formats = new LRUCache({
  max: 50,
  memoMethod: (timeZone: string) => ({
    parts: new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone }),
    month: new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone }),
  }),
});

/** Like a leaf of a calendar. Screen readers skip it, since the words next to it say the same. */
export function dateTile(start: string, timeZone: string): Html {
  const parts = formats.memo(timeZone).parts.formatToParts(new Date(start));
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return html`<div class="tile" aria-hidden="true"><span>${part('month')}</span><b>${part('day')}</b><span>${part('weekday')}</span></div>`;
}

export function monthOf(start: string, timeZone: string): string {
  return formats.memo(timeZone).month.format(new Date(start));
}

/** "Today" or "Tomorrow" in the event's time zone; null on other days. */
export function nearDay(start: string, timeZone: string, now: Date): string | null {
  const dayOf = (time: Date) => time.toLocaleDateString('en-CA', { timeZone });
  const [year, month, day] = dayOf(now).split('-').map(Number) as [number, number, number];
  const tomorrow = new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10);
  const begins = dayOf(new Date(start));
  if (begins === dayOf(now)) return 'Today';
  return begins === tomorrow ? 'Tomorrow' : null;
}
