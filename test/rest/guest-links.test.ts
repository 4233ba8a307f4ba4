import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { LinkTokens } from '../../src/domain/subscription/link-tokens.ts';
import { linkToken } from '../../src/domain/subscription/subscription-link.ts';
import { insertMembership } from '../support/fixtures.ts';
import { guestAddress, guestWorld, mailsTo, settleMails } from '../support/guests.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { serveTeam, testSecrets } from '../support/server.ts';

const { server, team } = await serveTeam();
const { organizationId } = team;
const { guest, execute, event, asking, subscriptionsOf, subscribed } = guestWorld(server, team);
const links = 'select l.* from guest_link l join subscription s on s.id = l.subscription_id where s.event_id = ?';
const linksOf = (eventId: string) => execute(`${links} order by l.key_id`, [eventId]);

describe('the link of a request', () => {
  it('shows what would be stored, and takes other answers, checked against the current form', async () => {
    const { id } = await asking();
    const email = guestAddress();
    await guest.request(id, { email, name: 'Stranger', answers: { badge: 'Theirs' } });
    const token = await guest.mailed(email);
    const anybody = await send(server, { organizationId }, `GET /public/events/${id}`);
    const shown = await guest.lookup(token);
    expect([shown.status, shown.body]).toEqual([
      200,
      { event: anybody.body, status: null, waiting_position: null, answers: { badge: 'Theirs' } },
    ]);
    const wrong = await guest.confirm(token, { answers: { badge: 5, other: 1 } });
    expectCode(wrong, 400, 'VALIDATION_ERROR', ['/answers/badge', '/answers/other']);
    expect(pointersOf(await guest.confirm(token, { answers: null }))).toEqual(['/answers/badge']);
    expectCode(await guest.confirm(token, { answers: { badge: 'Mine' }, form_version: 2 }), 409, 'CONFLICT');
    expectCode(await guest.confirm(token, { form_version: 2 }), 409, 'CONFLICT');
    expect(pointersOf(await guest.confirm(token, { name: 'x' } as never))).toEqual(['/name']);
    expect(await subscriptionsOf(email)).toEqual([]);
    const confirmed = await guest.confirm(token, { answers: { badge: 'Mine' }, form_version: 1 });
    expect([confirmed.status, confirmed.body]).toEqual([200, { status: 'accepted' }]);
    expect(await subscriptionsOf(email)).toMatchObject([{ answers: { badge: 'Mine' }, form_version: 1 }]);
    expectCode(await guest.lookup(token), 400, 'INVALID_VERIFICATION_TOKEN');
  });

  it('outlives later requests of others for the address, and ends with the first that is used', async () => {
    const [{ id }, other] = [await asking(), await asking()];
    const email = guestAddress();
    const ask = (eventId: string, badge: string, to = email) =>
      guest.request(eventId, { email: to, name: badge, answers: { badge } });
    await ask(id, 'Own');
    const own = await guest.mailed(email);
    await ask(id, 'Of somebody else', email.toUpperCase());
    const stranger = await guest.mailed(email, 2);
    await ask(other.id, 'Elsewhere');
    const elsewhere = await guest.mailed(email, 3);
    expect((await guest.lookup(own)).body.answers).toEqual({ badge: 'Own' });
    expect((await guest.lookup(stranger)).body.answers).toEqual({ badge: 'Of somebody else' });
    // a refusal ends none of them
    await execute("update event set registration = 'closed' where id = ?", [id]);
    expectCode(await guest.confirm(stranger), 409, 'REGISTRATION_CLOSED');
    await execute("update event set registration = 'open' where id = ?", [id]);
    expect((await guest.lookup(stranger)).status).toBe(200);
    expect((await guest.confirm(own)).status).toBe(200);
    for (const answer of [await guest.lookup(stranger), await guest.confirm(stranger)]) {
      expectCode(answer, 400, 'INVALID_VERIFICATION_TOKEN');
    }
    expect((await guest.confirm(elsewhere)).status).toBe(200);
    expect(await subscriptionsOf(email)).toMatchObject([
      { event_id: id, guest_name: 'Own', answers: { badge: 'Own' } },
      { event_id: other.id, guest_name: 'Elsewhere' },
    ]);
  });

  it('is one of several that are used at once, without a deadlock', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await event();
      const email = guestAddress();
      const tokens: string[] = [];
      for (let index = 1; index <= 3; index += 1) {
        await guest.request(id, { email });
        tokens.push(await guest.mailed(email, index));
      }
      const answers = await Promise.all([...tokens, ...tokens.toReversed()].map((token) => guest.confirm(token)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
      await settleMails(server);
    }
  });

  it.each([{ visibility: 'organization' }, { status: 3 }])(
    'shows nothing once its event is not public: %j',
    async (change) => {
      const { id } = await asking();
      const email = guestAddress();
      await guest.request(id, { email, answers: { badge: 'B' } });
      const token = await guest.mailed(email);
      const [[column, value]] = Object.entries(change) as [[string, unknown]];
      await execute(`update event set ${column} = ? where id = ?`, [value, id]);
      expectCode(await guest.lookup(token), 409, 'REGISTRATION_CLOSED');
      // and nothing of the form: neither its version nor its questions
      for (const fields of [{}, { answers: { other: 1 } }, { form_version: 9 }]) {
        expectCode(await guest.confirm(token, fields), 409, 'REGISTRATION_CLOSED');
      }
    },
  );
});

describe('the link to a subscription', () => {
  it('is the same in every mail, with one row, however many are sent at once', async () => {
    const { id, email, token, row } = await subscribed();
    const path = `PATCH /events/${id}/subscriptions/${row.id}`;
    for (const status of ['pending', 'accepted']) await send(server, team.manager, path, { status });
    expect(await guest.mailed(email, 4)).toBe(token);
    const db = new PostgresDatabase(server.orm);
    const tokens = await Promise.all(
      Array.from({ length: 20 }, () => linkToken({ db }, server.services.linkTokens, row.id)),
    );
    expect(new Set(tokens)).toEqual(new Set([token]));
    expect(await linksOf(id)).toHaveLength(1);
  });

  it('cannot be derived from the database, stays valid when the secret changes, and is a new one afterwards', async () => {
    const { id, token, row } = await subscribed();
    const [link] = await linksOf(id);
    expect(Object.values(link as object)).not.toContain(token);
    expect(new LinkTokens('another secret').tokenOf(link?.nonce)).not.toBe(token);
    const db = new PostgresDatabase(server.orm);
    const rotated = new LinkTokens(testSecrets().cookieSecrets[0] as string);
    const later = (await linkToken({ db }, rotated, row.id)) as string;
    expect(later).not.toBe(token);
    expect(await linkToken({ db }, rotated, row.id)).toBe(later);
    expect(await linksOf(id)).toHaveLength(2);
    for (const each of [token, later]) expect((await guest.lookup(each)).status).toBe(200);
  });

  const hidden = [
    ['not public', "visibility = 'organization'"],
    ['a draft', 'status = 0'],
    ['archived', 'status = 3'],
  ];

  it.each(hidden)('shows name and time alone of an event that is %s, once it is not live', async (_, change) => {
    const { id, token } = await subscribed(await asking(), { answers: { badge: 'G' } });
    await execute(
      `update event set ${change}, description = 'The new text', location = 'The new place', slug = ?, name = 'Party',
        registration = 'approval', updated_at = now() where id = ?`,
      [`new-${id}`, id],
    );
    // whose subscription is live sees what the members see
    const before = (await guest.lookup(token)).body.event;
    expect(before).toMatchObject({ description: 'The new text', location: 'The new place' });
    await execute("update subscription set status = 'cancelled' where event_id = ?", [id]);
    const { body } = await guest.lookup(token);
    const { date_start, date_end, timezone } = before;
    expect(body).toMatchObject({
      event: { id, name: 'Party', slug: id, description: null, location: null, date_start, date_end, timezone },
      ...{ status: 'cancelled', waiting_position: null, answers: { badge: 'G' } },
    });
    expect(body.event).toMatchObject({ status: 3, registration: 'closed', availability: 'closed' });
    await execute("update event set description = 'Newer', updated_at = now() + interval '1 hour' where id = ?", [id]);
    await send(server, team.manager, `PUT /events/${id}/form`, { questions: [] });
    expect((await guest.lookup(token)).body).toEqual(body);
    // nor does a refusal tell of the form
    for (const fields of [{ answers: { badge: 'G' } }, { answers: {}, form_version: 1 }, { answers: { x: 1 } }]) {
      expectCode(await guest.answer(token, fields), 409, 'INVALID_TRANSITION');
    }
    const { text } = await send(server, {}, `GET /my-subscription?token=${token}`);
    expect(text).toContain('Party');
    expect(text).not.toMatch(/The new|Newer/);
  });

  it('still shows a public event whose subscription is not live', async () => {
    const { id, token } = await subscribed();
    await guest.cancel(token);
    const anybody = await send(server, { organizationId }, `GET /public/events/${id}`);
    expect((await guest.lookup(token)).body.event).toEqual(anybody.body);
  });

  it('tells a member who was removed nothing new', async () => {
    const { id, email, token, row } = await subscribed();
    await insertMembership(server.orm, { organizationId, userId: row.user_id });
    const [membership] = await execute('select id from membership where user_id = ?', [row.user_id]);
    await execute("update event set visibility = 'organization' where id = ?", [id]);
    expect((await send(server, team.owner, `DELETE /members/${membership?.id}`)).status).toBe(200);
    await execute("update event set location = 'The new place' where id = ?", [id]);
    expect((await guest.lookup(token)).body).toMatchObject({ status: 'cancelled', event: { location: null } });
    await mailsTo(server, email, 3);
  });
});
