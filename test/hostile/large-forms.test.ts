import { expect, it } from 'vitest';
import { bestOf, startWatchedService } from '../support/child-service.ts';
import { guestAddress, guestOf } from '../support/guests.ts';
import { organizer } from '../support/organizer.ts';
import { serve } from '../support/server.ts';

/** Milliseconds of processor time that an answer may hold the thread at a time. */
const longestTurn = 100;

/** As large as a form can be, of letters that become several in a page. */
const questions = Array.from({ length: 50 }, (_, question) => ({
  key: `q${question}`,
  type: 'choices',
  label: 'Choose',
  options: Array.from({ length: 50 }, (__, option) => ({
    value: `${option}${'<'.repeat(180)}`,
    label: `${option}${'&'.repeat(180)}`,
  })),
}));

const server = await serve();
const place = await organizer(server);
const event = await place.event();
expect((await place.ask(event, questions)).status).toBe(200);
const guest = guestOf(server, place.organizationId);
const answers = Object.fromEntries(questions.map(({ key, options }) => [key, options.map(({ value }) => value)]));
const { token: link } = await guest.subscribe(event.id, { email: guestAddress(), answers });
const service = await startWatchedService(server);

/**
 * The longest turn of an answer.
 *
 * @param expected the least length of an answer, or what is in it
 */
async function turnOf(
  target: string,
  init: RequestInit | ((round: number) => RequestInit) = {},
  expected: number | string = 500_000,
): Promise<number> {
  return await bestOf(longestTurn, async (round) => {
    const response = await fetch(service.url + target, typeof init === 'function' ? init(round) : init);
    const text = await response.text();
    expect([200, 422]).toContain(response.status);
    if (typeof expected === 'string') expect(text.slice(0, 500)).toContain(expected);
    else expect(text.length).toBeGreaterThan(expected);
    return await service.longestTurn();
  });
}

/** A query of what everybody sees of an organization. */
const asking = (organizationId: string, query: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-organization-id': organizationId },
  body: JSON.stringify({ query }),
});
const everyForm =
  '{ publicEvents(first: 50) { nodes { form { questions { key type label help required min max options { value label } } } } } }';

it('pages with the largest form, and the answers to it, let others have their turn', async () => {
  const body = new URLSearchParams({ token: link, do: 'answer', form_version: '1' });
  for (const { key, options } of questions)
    for (const { value } of options.slice(0, 40)) body.append(`answers.${key}`, `${value}`.slice(0, 90));
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const turns = [
    await turnOf(place.pathOf(event)),
    await turnOf(`/my-subscription?token=${link}`),
    await turnOf(place.pathOf(event), { ...form, body }),
    await turnOf('/my-subscription', { ...form, body }),
  ];
  expect(Math.max(...turns)).toBeLessThan(longestTurn);
});

it('a hundred readers of the largest form let a new connection have its turn, and each other', async () => {
  const read = async () => {
    const response = await fetch(service.url + place.pathOf(event));
    const { length } = await response.text();
    // a process that is too busy refuses some
    if (response.status !== 503) expect([response.status, length > 500_000]).toEqual([200, true]);
  };
  const ofTheAllowed = await bestOf(1, async () => {
    await service.longestTurn();
    const wait = await service.longestWait(Promise.all(Array.from({ length: 100 }, read)));
    return Math.max(wait / 500, (await service.longestTurn()) / longestTurn);
  });
  expect(ofTheAllowed).toBeLessThan(1);
}, 300_000);

it('a list of events with large forms lets others have their turn', async () => {
  for (let index = 0; index < 11; index += 1) await place.ask(await place.event(), questions.slice(index % 2, 10));
  expect(await turnOf('/graphql', asking(place.organizationId, everyForm))).toBeLessThan(longestTurn);
});

it('a list of events with more forms than a request may load is refused, and lets others have their turn', async () => {
  const many = await organizer(server);
  for (let index = 0; index < 24; index += 1) {
    const own = questions.map((each) => ({ ...each, help: `${index}` }));
    expect((await many.ask(await many.event(), own)).status).toBe(200);
  }
  const turn = await turnOf('/graphql', asking(many.organizationId, everyForm), 'INVALID_QUERY');
  expect(turn).toBeLessThan(longestTurn);
});

it('a calendar over thousands of years lets others have their turn', async () => {
  const many = await organizer(server);
  for (let year = 1900; year < 9990; year += 2) {
    await many.event({
      timezone: 'Europe/Berlin',
      dateStart: new Date(Date.UTC(year, 5)),
      dateEnd: new Date(Date.UTC(year + 1, 5)),
    });
  }
  expect(await turnOf(`${many.list}/events.ics`, {}, 100_000)).toBeLessThan(longestTurn);
}, 300_000);

it('a list of events with many small options, asked for under many names, lets others have their turn', async () => {
  const many = await organizer(server);
  const options = Array.from({ length: 50 }, (_, index) => ({ value: `${index}`, label: `${index}` }));
  const small = Array.from({ length: 50 }, (_, index) => ({ key: `q${index}`, type: 'choices', label: 'Q', options }));
  for (let index = 0; index < 50; index += 1) {
    expect((await many.ask(await many.event(), small)).status).toBe(200);
  }
  const form = 'form { questions { key type required min max options { value label } } }';
  const ask = (first: number, names: string, least: number) => {
    // an operation that is new each time is not compiled
    const query = (round: number) => `{ new${round}: publicEvents(first: ${first}) { nodes { ${names} } } }`;
    return turnOf('/graphql', (round) => asking(many.organizationId, query(round)), least);
  };
  expect(await ask(20, form, 1_000_000)).toBeLessThan(longestTurn);
  // more is refused, under other names, too
  const names = Array.from({ length: 10 }, (_, index) => `f${index}: ${form}`).join(' ');
  expect(await ask(50, names, 100)).toBeLessThan(longestTurn);
});
