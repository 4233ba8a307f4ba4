import { describe, expect, it } from 'vitest';
import { guestAddress, guestOf, settleMails } from '../support/guests.ts';
import { everyQuestion, fetchPage, organizer, submitForm } from '../support/organizer.ts';
import { inDays } from '../support/public-world.ts';
import { serve } from '../support/server.ts';

const server = await serve();
const place = await organizer(server);
const guest = guestOf(server, place.organizationId);
const confirm = '/confirm-subscription';
const own = '/my-subscription';
const opening = (path: string, token: string) => fetchPage(server, `${path}?token=${token}`);
const sending = (path: string, token: string, fields: Record<string, string> = {}) =>
  submitForm(server, path, { token, ...fields });

/** Expects that a page with a status says these words. */
async function expectSaid(page: ReturnType<typeof fetchPage>, status: number, words: string) {
  const { text, ...answer } = await page;
  expect([answer.status, text.includes(words)], words).toEqual([status, true]);
  return text;
}

async function asked(input: Parameters<typeof place.event>[0] = {}) {
  const event = await place.event(input);
  const email = guestAddress();
  await guest.request(event.id, { email });
  return { event, email, token: await guest.mailed(email) };
}

async function subscribed(input: Parameters<typeof place.event>[0] = {}) {
  const event = await place.event(input);
  return { event, ...(await guest.subscribe(event.id, { email: guestAddress() })) };
}

describe.each([confirm, own])('%s', (path) => {
  it('is never kept, leaves no trace, and runs nothing but its own script', async () => {
    const { token } = path === own ? await subscribed() : await asked();
    for (const { headers, status } of [await opening(path, token), await opening(path, 'x')]) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; .*form-action 'self'; frame-ancestors 'none'$/,
        ),
      });
      expect([status, headers.get('etag')]).toEqual([status, null]);
    }
    expect(server.logLines.join('\n')).not.toContain(token);
  });

  it('says so if the token is missing, wrong or doubled, and takes no other methods and bodies', async () => {
    for (const query of ['', '?token=', '?token=x', '?token=%00', '?token=%ff', `?token=${'x'.repeat(5000)}`]) {
      const { status, text } = await fetchPage(server, path + query);
      expect([query.slice(0, 20), status]).toEqual([query.slice(0, 20), 400]);
      expect(text).toMatch(/This link no longer works|Please open the link in the mail again/);
      expect(text).not.toContain('<form');
    }
    expect((await sending(path, 'x')).status).toBe(400);
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await fetchPage(server, path, { method });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await fetchPage(server, path, json)).status).toBe(415);
    const foreign = await submitForm(server, path, { token: 'x' }, { 'sec-fetch-site': 'cross-site' });
    expect([foreign.status, foreign.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  });
});

describe('POST /confirm-subscription', () => {
  it('takes as large a form as the page that shows a subscription', async () => {
    const large = { name: 'Grace', form_version: '1', 'answers.story': 'x'.repeat(300_000) };
    const statuses = [];
    for (const path of [confirm, own]) statuses.push((await sending(path, 'unknown', large)).status);
    expect(statuses).toEqual([400, 400]);
  });

  it.each([
    ['accepted', {}, 'You have a place'],
    ['pending', { registration: 'approval' }, 'Waiting for approval'],
    ['waitlisted', { capacity: 1, accepted: 1 }, 'You are on the waiting list'],
  ] as const)('makes a subscription that is %s, and says so', async (status, input, words) => {
    const { event, token } = await asked(input);
    expect((await opening(confirm, token)).text).toContain('Confirm your subscription');
    await expectSaid(sending(confirm, token), 200, words);
    const made = `select status from subscription where event_id = ? and guest_name = 'Grace Guest'`;
    expect(await server.execute(made, [event.id])).toEqual([{ status }]);
    await settleMails(server);
  });

  it('leads to the page of the event and its calendar file afterwards, as the own link does', async () => {
    const { event, email, token } = await asked();
    const path = place.pathOf(event);
    const links = [`href=".${path}"`, `href=".${path}.ics"`];
    const confirmed = await sending(confirm, token);
    for (const link of links) expect(confirmed.text).toContain(link);
    for (const address of [path, `${path}.ics`]) expect((await fetchPage(server, address)).status).toBe(200);
    await settleMails(server);
    const ownToken = await guest.mailed(email, 2);
    for (const link of links) expect((await opening(own, ownToken)).text).toContain(link);
    await place.patch(event, { visibility: 'organization' });
    const hidden = await opening(own, ownToken);
    expect([hidden.status, hidden.text.includes(event.slug)]).toEqual([200, false]);
  });

  it('says why not, and leaves the link good', async () => {
    const { event, token } = await asked({ waitingList: false });
    await place.patch(event, { capacity: 0 });
    await expectSaid(opening(confirm, token), 200, 'All places are taken at the moment.');
    await expectSaid(sending(confirm, token), 409, 'Your link stays valid');
    await place.patch(event, { capacity: 5, registration: 'closed' });
    expect((await opening(confirm, token)).text).toContain('The organizer is not taking subscriptions at the moment.');
    await expectSaid(sending(confirm, token), 409, 'Registration is closed');
    await place.patch(event, { registration: 'open' });
    expect((await sending(confirm, token)).text).toContain('You have a place');
    await expectSaid(sending(confirm, token), 400, 'It has already been used');
  });

  it('says what became of earlier subscriptions', async () => {
    const { event, email, token } = await asked();
    await guest.request(event.id, { email });
    const newer = await guest.mailed(email, 2);
    await sending(confirm, newer);
    expect((await opening(confirm, token)).text).toContain('only the first link that you confirmed counts');
    // its mail would not be sent of what is no longer so
    await settleMails(server);
    await server.execute(`update subscription set status = 'declined' where event_id = ?`, [event.id]);
    await guest.request(event.id, { email });
    await expectSaid(sending(confirm, await guest.mailed(email, 4)), 409, 'declined an earlier subscription');
  });
});

describe('/my-subscription', () => {
  it('shows how things stand, and only what can still be done', async () => {
    const { event, token } = await subscribed({ name: 'Open Day' });
    const words: [string, string, boolean][] = [
      ['accepted', 'You have a place', true],
      ['pending', 'Waiting for approval', true],
      ['waitlisted', 'You are 1st on the waiting list', true],
      ['declined', 'The organizer declined your subscription.', false],
      ['cancelled', 'Your subscription is cancelled.', false],
    ];
    for (const [status, text, open] of words) {
      await server.execute('update subscription set status = ? where event_id = ?', [status, event.id]);
      const page = await opening(own, token);
      expect([page.status, page.text.includes(text), page.text.includes('value="ask"')]).toEqual([200, true, open]);
      // the event is public, whatever became of the subscription; what may be erased is not over either
      expect(page.text).toContain(`href=".${place.pathOf(event)}"`);
      expect(page.text.includes(`${place.pathOf(event)}.ics`)).toBe(open);
      expect(page.text).toContain('value="ask-erase"');
    }
    await server.execute(`update subscription set status = 'accepted' where event_id = ?`, [event.id]);
    await place.patch(event, { status: 2 });
    const cancelled = (await opening(own, token)).text;
    expect(cancelled).toContain('The event is cancelled.');
    expect(cancelled).toContain(`href=".${place.pathOf(event)}"`);
    expect(cancelled).not.toContain('.ics');
    await place.patch(event, { status: 1, date_start: inDays(-3).toISOString(), date_end: inDays(-2).toISOString() });
    expect((await opening(own, token)).text).not.toContain('value="ask"');
  });

  it('erases everything about a guest when asked twice, and says that somebody with an account erases that', async () => {
    const { event, token } = await subscribed();
    await expectSaid(sending(own, token, { do: 'ask-erase' }), 200, 'Yes, erase everything');
    expect((await guest.lookup(token)).body.status).toBe('accepted');
    const set = 'update "user" set password_hash = ? where id = (select user_id from subscription where event_id = ?)';
    const setPassword = (hash: string | null) => server.execute(set, [hash, event.id]);
    await setPassword('x');
    await expectSaid(sending(own, token, { do: 'erase' }), 403, 'You have an account');
    await setPassword(null);
    await expectSaid(sending(own, token, { do: 'erase' }), 200, 'Your data are erased');
    const left = `select u.email, s.guest_name, s.status from subscription s join "user" u on u.id = s.user_id where s.event_id = ?`;
    expect(await server.execute(left, [event.id])).toEqual([{ email: null, guest_name: null, status: 'cancelled' }]);
    await expectSaid(sending(own, token, { do: 'erase' }), 400, 'This link no longer works');
  });

  it('saves answers, and keeps what was typed if it cannot', async () => {
    const { event, token } = await subscribed();
    await place.ask(event, everyQuestion.slice(0, 2));
    const answers = { do: 'answer', 'answers.dish': 'A cake', 'answers.story': 'Mine' };
    const stale = await expectSaid(sending(own, token, { ...answers, form_version: '0' }), 409, 'The form has changed');
    expect(stale).toContain('value="A cake"');
    await expectSaid(sending(own, token, { ...answers, form_version: '1' }), 200, 'These are now your answers.');
    expect((await guest.lookup(token)).body.answers).toEqual({ dish: 'A cake', story: 'Mine' });
    await guest.cancel(token);
    const late = { ...answers, form_version: '1', 'answers.dish': 'Other' };
    await expectSaid(sending(own, token, late), 409, 'This can no longer be changed');
    expect((await guest.lookup(token)).body.answers).toEqual({ dish: 'A cake', story: 'Mine' });
  });

  it('cancels only when asked twice, and says why it cannot', async () => {
    const { event, token } = await subscribed();
    await expectSaid(sending(own, token, { do: 'ask' }), 200, 'Yes, cancel it');
    for (const what of ['show', 'nonsense', '']) await sending(own, token, { do: what });
    expect((await guest.lookup(token)).body.status).toBe('accepted');
    await server.execute('update subscription set checked_in_at = now() where event_id = ?', [event.id]);
    await expectSaid(sending(own, token, { do: 'cancel' }), 409, 'you have been checked in');
    await server.execute('update subscription set checked_in_at = null where event_id = ?', [event.id]);
    for (let index = 0; index < 2; index += 1)
      await expectSaid(sending(own, token, { do: 'cancel' }), 200, 'Your subscription is cancelled');
    expect((await guest.lookup(token)).body.status).toBe('cancelled');
  });
});
