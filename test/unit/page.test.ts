import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../src/domain/change/place.ts';
import type { EndpointAnswer } from '../../src/domain/webhook/endpoint.ts';
import type { ReadItem, ReadPage } from '../../src/domain/webhook/read-page.ts';
import type { Turn } from '../../src/domain/webhook/turns.ts';
import { placeColumns } from '../../src/domain/webhook/webhook-place.ts';
import { Page, type PageItem } from '../../src/jobs/page.ts';

const moment = { open: [], from: 1, to: 1 };
const placeAt = (height: number): Place => ({ ...{ height, moment, late: null, newest: '', at: 0, caughtUp: false } });
const start = placeColumns(placeAt(0)).place;

const turnOf = (fields: Partial<Turn> = {}): Turn => ({
  ...{ webhook_id: randomUUID(), organization_id: randomUUID(), turn: randomUUID(), url: 'https://a.example/' },
  ...{
    secrets: [],
    kinds: ['event'],
    place: start,
    redirected_at: null,
    maker_id: null,
    healthy: true,
    quick: true,
    answering: true,
    waits: false,
    places: 8,
  },
  ...fields,
});

const changeOf = (seq: number, object: string) => ({
  ...{ id: `change-${seq}`, kind: 'event' as const, op: 'changed' as const, object_id: object, event_id: object },
  ...{ version: 1, actor_id: null, occurred_at: '2031-05-03T08:00:00.000Z' },
});

const pageOf = (turn: Turn, due: ConstructorParameters<typeof Page>[1], read: ReadPage, time = 60_000) =>
  new Page(turn, due, read, time);

/** A page of the log whose changes are about these objects; a `!` marks one that is blocked, a `?` one that waits already. */
function readOf(objects: string, more = false): ReadPage {
  const items = objects.split(' ').map((name, index): ReadItem => {
    const state = name.endsWith('!') ? 'blocked' : name.endsWith('?') ? 'known' : 'waiting';
    const seq = index + 1;
    return { seq: String(seq), change: changeOf(seq, name.slice(0, 1)), place: placeAt(seq), state };
  });
  return { items, next: placeAt(100), more };
}

const answer: EndpointAnswer = {
  ...{ delivered: true, http_status: 204, duration_ms: 1, error: null, response: '', retryAfter: null },
};

/** Sends a page to an endpoint that answers when it is told to; changes are named by their numbers. */
function sending(page: Page, recording: Promise<void> = Promise.resolve(), mayBegin = () => true) {
  const begun: PageItem[] = [];
  const ends = new Map<string, () => void>();
  const sent = page.send(async (item) => {
    begun.push(item);
    await new Promise<void>((resolve) => ends.set(item.sent.seq, resolve));
    return { recorded: recording };
  }, mayBegin);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (seq: number, change: (item: PageItem) => void) => {
    change(begun.find((item) => item.sent.seq === String(seq)) as PageItem);
    ends.get(String(seq))?.();
    await settled();
  };
  return {
    sent,
    begun: () => begun.map((item) => Number(item.sent.seq)),
    deliver: (seq: number) => end(seq, (item) => Object.assign(item, { state: 'delivered', answer })),
    drop: (seq: number) => end(seq, (item) => Object.assign(item, { state: 'dropped' })),
    fail: (seq: number) =>
      end(seq, (item) => {
        item.state = 'done';
        item.sent.isQueued = true;
      }),
  };
}

/** What a page has to record, in short. */
function recorded(page: Page) {
  const { delivered, queued, released, reached } = page.progress();
  return {
    delivered: delivered.map(({ sent }) => Number(sent.seq)),
    queued: queued.map(({ seq, isUnderWay }) => (isUnderWay ? `${seq} under way` : seq)),
    released,
    reached: reached && `${reached.to?.height}${reached.more ? ' and more' : ''}`,
  };
}

const nothing = { delivered: [], queued: [], released: [], reached: null };

describe('a page', () => {
  it('sends the changes of an object one after the other, and of others beside them', async () => {
    const page = pageOf(turnOf({ places: 2 }), [], readOf('a a b c'));
    const { begun, deliver, sent } = sending(page);
    expect(begun()).toEqual([1, 3]);
    await deliver(1);
    expect(begun()).toEqual([1, 3, 2]);
    await deliver(3);
    expect(begun()).toEqual([1, 3, 2, 4]);
    await Promise.all([deliver(2), deliver(4)]);
    await sent;
  });

  it('moves the place as far as everything is delivered, and to the end of what was read once all is', async () => {
    const page = pageOf(turnOf(), [], readOf('a b c'));
    const { deliver } = sending(page);
    await deliver(2);
    expect(recorded(page)).toEqual({ ...nothing, delivered: [2] });
    await deliver(1);
    expect(recorded(page)).toEqual({ ...nothing, delivered: [1], reached: '2 and more' });
    await deliver(3);
    page.close();
    expect(recorded(page)).toEqual({ ...nothing, delivered: [3], reached: '100' });
    expect(page.left).toEqual({ reads: false, sends: false });
    expect(recorded(page)).toEqual(nothing);
  });

  it('lets wait what is in flight when it closes, and reads again what had not begun', async () => {
    const page = pageOf(turnOf({ places: 2 }), [], readOf('a b c d', true));
    const { begun, deliver } = sending(page);
    await deliver(1);
    expect(begun()).toEqual([1, 2, 3]);
    page.close();
    expect(page.sending).toBe(2);
    expect(recorded(page)).toEqual({
      ...{ delivered: [1], queued: ['2 under way', '3 under way'], released: [], reached: '3 and more' },
    });
    expect(page.left).toEqual({ reads: true, sends: true });
    await deliver(2);
    expect(begun()).toEqual([1, 2, 3]);
    // the place is not touched any more
    expect(recorded(page)).toEqual({ ...nothing, delivered: [2] });
    expect(page.progress().delivered).toEqual([]);
  });

  it('lets wait what it passed over, as a later change of an object that took long', async () => {
    const page = pageOf(turnOf({ places: 2 }), [], readOf('a a b c d'));
    const { begun, deliver } = sending(page);
    await deliver(3);
    expect(begun()).toEqual([1, 3, 4]);
    page.close();
    expect(recorded(page)).toEqual({
      ...{ delivered: [3], queued: ['1 under way', '2', '4 under way'], released: [], reached: '4 and more' },
    });
  });

  it('lets wait what is blocked by what waits, and passes over what waits itself', async () => {
    const page = pageOf(turnOf(), [], readOf('a? a! b'));
    const { begun, deliver } = sending(page);
    expect(begun()).toEqual([3]);
    await deliver(3);
    page.close();
    expect(recorded(page)).toEqual({ delivered: [3], queued: ['2'], released: [], reached: '100' });
  });

  it('lets nothing more wait once it is closed: what was to be read again is', async () => {
    const page = pageOf(turnOf({ places: 2 }), [], readOf('a a b c!'));
    const { deliver } = sending(page);
    page.close();
    expect(recorded(page)).toEqual({ ...nothing, queued: ['1 under way', '2', '3 under way'], reached: '3 and more' });
    await deliver(1);
    await deliver(3);
    expect(recorded(page)).toEqual({ ...nothing, delivered: [1, 3] });
  });

  it('lets wait what is about an object that is due, and passes over what is due itself', async () => {
    const due = [{ seq: '1', change: changeOf(1, 'a'), attempts: 1 }];
    const page = pageOf(turnOf(), due, readOf('a a b'));
    const { begun, deliver } = sending(page);
    expect(begun()).toEqual([1, 3]);
    await deliver(3);
    page.close();
    expect(recorded(page)).toEqual({ delivered: [3], queued: ['2'], released: [], reached: '100' });
    expect(page.busy).toEqual([{ kind: 'event', object_id: 'a' }]);
  });

  it('keeps its places and its objects until what it sent is recorded', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const page = pageOf(turnOf(), [], readOf('a'));
    const { deliver } = sending(page, promise);
    await deliver(1);
    page.close();
    page.progress();
    expect([page.sending, page.busy.length]).toEqual([1, 1]);
    resolve();
    await promise;
    expect([page.sending, page.busy.length]).toEqual([0, 0]);
  });

  it('reads again what is blocked behind what had not begun', async () => {
    const page = pageOf(turnOf({ places: 1 }), [], readOf('a b c!'));
    const { begun } = sending(page);
    expect(begun()).toEqual([1]);
    page.close();
    expect(recorded(page)).toEqual({ ...nothing, queued: ['1 under way'], reached: '1 and more' });
  });

  it('stays where it was if nothing has begun', () => {
    const page = pageOf(turnOf(), [], readOf('a b'));
    page.end();
    expect(sending(page).begun()).toEqual([]);
    page.close();
    expect(recorded(page)).toEqual({ ...nothing, reached: '0 and more' });
  });

  it('goes on after what failed, since that waits', async () => {
    const page = pageOf(turnOf(), [], readOf('a b'));
    const { fail, deliver } = sending(page);
    await fail(1);
    await deliver(2);
    page.close();
    expect(recorded(page)).toEqual({ ...nothing, delivered: [2], reached: '100' });
  });

  it('sends no more than its places if the last try of the webhook failed', async () => {
    const page = pageOf(turnOf({ healthy: false, places: 2 }), [], readOf('a b c'));
    const { begun, deliver, sent } = sending(page);
    await deliver(1);
    await deliver(2);
    await sent;
    expect(begun()).toEqual([1, 2]);
    page.close();
    expect(recorded(page)).toEqual({ ...nothing, delivered: [1, 2], reached: '2 and more' });
  });

  it('sends first what was due, but what is new where the last try had no answer', () => {
    const due = [{ seq: '7', change: changeOf(7, 'z'), attempts: 2 }];
    expect(sending(pageOf(turnOf({ places: 1 }), due, readOf('a'))).begun()).toEqual([7]);
    const silent = { places: 1, answering: false, healthy: false };
    const page = pageOf(turnOf(silent), due, readOf('a'));
    expect(sending(page).begun()).toEqual([1]);
    page.close();
    expect(recorded(page)).toEqual({ ...nothing, queued: ['1 under way'], released: ['change-7'], reached: '100' });
  });

  it('gives back what was given up, also if that was in flight when it closed', async () => {
    const page = pageOf(turnOf(), [], readOf('a b'));
    const { drop } = sending(page);
    await drop(1);
    page.close();
    expect(recorded(page)).toEqual({ ...nothing, queued: ['1', '2 under way'], reached: '100' });
    await drop(2);
    expect(recorded(page)).toEqual({ ...nothing, released: ['change-2'] });
  });

  it('takes more places while it is open', async () => {
    const page = pageOf(turnOf({ places: 1 }), [], readOf('a a b c'));
    const { begun, deliver, sent } = sending(page);
    expect(begun()).toEqual([1]);
    expect(page.isCrowded).toBe(true);
    page.grow(2);
    expect(begun()).toEqual([1, 3, 4]);
    expect([page.isCrowded, page.sending]).toEqual([false, 3]);
    for (const seq of [1, 3, 4, 2]) await deliver(seq);
    await sent;
    page.close();
    expect(page.sending).toBe(0);
  });

  it('begins nothing once its time is over, also if nothing has told it so', async () => {
    const page = pageOf(turnOf({ places: 1 }), [], readOf('a b'), 5);
    const { begun, deliver, sent } = sending(page);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await deliver(1);
    await sent;
    expect([begun(), page.isCrowded]).toEqual([[1], false]);
  });

  it('leaves the place alone once the webhook was redirected', async () => {
    const page = pageOf(turnOf(), [], readOf('a b'));
    const { deliver } = sending(page);
    await deliver(1);
    page.progress();
    page.redirect();
    await deliver(2);
    page.close();
    expect(recorded(page)).toEqual({ ...nothing, delivered: [2] });
  });
});
