import { beforeEach, describe, expect, it } from 'vitest';
import { mailboxOf } from '#input-values';
import { insertMembership, insertUser } from '../support/fixtures.ts';
import { countMails, invitationsOf, mailsTo, newAddress, settleMails } from '../support/guests.ts';
import { expectCode, graphql, send } from '../support/send.ts';
import { createTeam, join, type Person, post, serve, type Team } from '../support/server.ts';

const server = await serve({ env: { RATE_LIMIT: 'on' } });
let team: Team;
beforeEach(async () => {
  team = await createTeam(server);
});

const { invite } = invitationsOf(server);
const document =
  'mutation ($email: String!) { inviteMember(input: {email: $email, role: MEMBER}) { invitation { mailedAt } } }';
const inviteByGraphql = (by: Person, email = newAddress()) => graphql(server, by, document, { email });
const take = (rule: 'invitations_organization' | 'invitations_inviter', key: string, points: number) =>
  Promise.all(Array.from({ length: points }, () => server.services.limits.take({ rule, key })));

/** Mails to an address wait for the next hour; this lets it begin. Mails that are just being sent stay claimed. */
const nextHour = async (email: string) => {
  await server.services.limits.forget({ rule: 'invitations_mailbox', key: mailboxOf(email) });
  await server.execute(
    `update job set due_at = date_trunc('milliseconds', now()) where lane ~ 'mails' and due_at > now() + interval '50 minutes'`,
  );
  server.services.jobs.nudge('account_mails');
};

describe('invitations', () => {
  it('by one person are 20 an hour, across organizations and faces; then 429 with Retry-After', async () => {
    const other = await createTeam(server);
    const elsewhere = { ...team.owner, organizationId: other.organizationId };
    await insertMembership(server.orm, { ...other, userId: team.owner.userId, role: 'owner' });
    const asked = Array.from({ length: 30 }, async (_, index) => {
      if (index % 3 === 0) return (await inviteByGraphql(team.owner)).errors ? 429 : 201;
      return (await invite(index % 3 === 1 ? team.owner : elsewhere)).status;
    });
    const statuses = (await Promise.all(asked)).sort();
    expect(statuses).toEqual([...Array(20).fill(201), ...Array(10).fill(429)]);
    const refused = await invite(team.owner);
    expectCode(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(59 * 60);
    const { errors } = await inviteByGraphql(team.owner);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retry_after: expect.any(Number) });
    // the budget of a colleague is another
    expect((await invite(team.manager)).status).toBe(201);
    const made = await server.execute('select from invitation where inviter_id = ?', [team.owner.userId]);
    expect(made).toHaveLength(20);
  });

  it('to one organization are 100 an hour, from all inviters together', async () => {
    await take('invitations_organization', team.organizationId, 99);
    const answers = await Promise.all([invite(team.owner), invite(team.manager)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429]);
    const newcomer = await join(server, team.organizationId, 'manager');
    expectCode(await invite(newcomer), 429, 'RATE_LIMITED');
    // a refusal costs the inviter nothing
    await take('invitations_inviter', newcomer.userId, 20);
  });

  it('that are refused for another reason use nothing up', async () => {
    const members = await Promise.all(Array.from({ length: 25 }, () => invite(team.owner, team.member.email)));
    expect(new Set(members.map(({ status }) => status))).toEqual(new Set([409]));
    await take('invitations_inviter', team.owner.userId, 20);
  });
});

describe('mails of invitations', () => {
  it('to one address are 3 an hour, from all organizations together: the answer is the same, and the mail waits', async () => {
    const email = newAddress();
    const written = email.replace('invited', 'INVITED');
    const teams = await Promise.all(Array.from({ length: 5 }, () => createTeam(server)));
    const answers = await Promise.all(teams.map(({ owner }, index) => invite(owner, index % 2 ? email : written)));
    expect(answers.map(({ status, body }) => [status, body.mailed_at])).toEqual(Array(5).fill([201, null]));
    const sent = () => countMails(server, email);
    const mailed = async () => {
      const lists = await Promise.all(
        teams.map(({ owner }) => send<{ items: { mailed_at: string | null }[] }>(server, owner, 'GET /invitations')),
      );
      return lists.flatMap(({ body }) => body.items).filter(({ mailed_at: at }) => at !== null).length;
    };
    const waiting = async () =>
      (
        await server.execute<{ attempts: number }>(
          `select attempts from job where lane ~ 'mails' and kind = 'invitation' and due_at > now() + interval '50 minutes'`,
        )
      ).map(({ attempts }) => attempts);
    await expect.poll(waiting).toEqual([0, 0]);
    await expect.poll(sent).toBe(3);
    expect(await mailed()).toBe(3);
    await nextHour(email);
    await expect.poll(sent).toBe(5);
    expect(await mailed()).toBe(5);
  });

  it('that wait are not sent if the invitation ends meanwhile', async () => {
    const email = newAddress();
    const teams = await Promise.all(Array.from({ length: 4 }, () => createTeam(server)));
    const answers = [];
    for (const { owner } of teams) {
      answers.push(await invite(owner, email));
      await expect
        .poll(async () => (await server.execute(`select 1 from job where lane ~ 'mails' and due_at <= now()`)).length)
        .toBe(0);
    }
    // it has been looked at and put off, not only claimed
    const putOff = `select 1 from job where lane ~ 'mails' and kind = 'invitation' and due_at > now() + interval '50 minutes'`;
    await expect.poll(async () => (await server.execute(putOff)).length).toBe(1);
    await send(server, (teams[3] as Team).owner, `DELETE /invitations/${answers[3]?.body.id}`);
    await nextHour(email);
    await settleMails(server);
    expect(await countMails(server, email)).toBe(3);
  });

  it('use up nothing of what resets and verifications may send, nor the reverse', async () => {
    const { email } = await insertUser(server.orm, { email: newAddress() });
    const teams = await Promise.all(Array.from({ length: 4 }, () => createTeam(server)));
    for (const { owner } of teams) expect((await invite(owner, email)).status).toBe(201);
    await mailsTo(server, email, 3);
    for (let count = 4; count <= 6; count += 1) {
      const answer = await post(`${server.url}/auth/reset-password-request`, { email });
      expect(answer).toMatchObject({ status: 200, body: true });
      await mailsTo(server, email, count);
    }
    expect((await post(`${server.url}/auth/reset-password-request`, { email })).status).toBe(200);
    // the fourth is looked at while the budget is used up
    const resets = () => server.execute("select id from job where lane ~ 'mails' and kind = 'reset_requested'");
    await expect.poll(resets).toEqual([]);
    await nextHour(email);
    await settleMails(server);
    const subjects = (await mailsTo(server, email, 7)).map(({ subject }) => subject);
    expect(subjects.filter((each) => each === 'Set a new password')).toHaveLength(3);
    expect(subjects.filter((each) => each === 'You are invited to an organization')).toHaveLength(4);
  });
});

describe('what others chose, in a mail', () => {
  it('does not read as a link, and is never in a subject', async () => {
    const hostile = 'Win at https://evil.example/x or www.evil.example, evil．example me@evil.example\u202e';
    await send(server, team.owner, 'PATCH /auth/me', { name: hostile });
    await send(server, team.owner, 'PATCH /organization', { name: hostile });
    const email = newAddress();
    await invite(team.owner, email);
    const [mail] = await mailsTo(server, email);
    expect(mail?.subject).toBe('You are invited to an organization');
    const ours = /http:\/\/events\.test\/invitation\?token=[\w-]{43}/g;
    for (const text of [mail?.text, mail?.html].map((each) => String(each).replaceAll(ours, ''))) {
      expect(text).toMatch(/Win at evil example\/x or evil example/);
      expect(text).not.toMatch(/evil[^a-z ]example|:\/\/|www\.|@|．|[\u202a-\u202e\u2066-\u2069]/);
    }
  });

  it('is left out if nothing of it remains', async () => {
    await send(server, team.owner, 'PATCH /auth/me', { name: '://' });
    await send(server, team.owner, 'PATCH /organization', { name: '@' });
    const email = newAddress();
    await invite(team.owner, email);
    const [mail] = await mailsTo(server, email);
    expect(mail?.text).toContain('You are invited to join an organization.');
  });
});
