import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertUser } from '../support/fixtures.ts';
import { countMails, guestAddress, guestOf, guestWorld, mailedToken, mailsTo } from '../support/guests.ts';
import { holding, untilLocked } from '../support/locks.ts';
import { runOut } from '../support/public-world.ts';
import { type Caller, expectCode, globalId, type Refusal, refusalOf, send } from '../support/send.ts';
import { createKey, createTeam, join, serve, signIn } from '../support/server.ts';
import { tablesWith } from '../support/traces.ts';
import { mutate } from '../support/write-faces.ts';

// An organization that is deleted is unknown at once, and gone soon (reference/leaving.md#deleting-an-organization).

const server = await serve({ env: { RATE_LIMIT: 'off' } });

type Delete = (caller: Caller, id: string, input: Record<string, unknown>) => Promise<Refusal>;

const byRest = (name: string): { name: string; remove: Delete } => ({
  name,
  remove: async ({ accessToken }, id, input) =>
    // no header is needed
    refusalOf(await send(server, { accessToken: accessToken as string }, name.replace('{organization}', id), input)),
});

const ways: { name: string; remove: Delete }[] = [
  byRest('DELETE /organizations/{organization}'),
  byRest('POST /organizations/{organization}/delete'),
  {
    name: 'deleteOrganization',
    remove: async ({ accessToken }, id, input) => {
      const caller = { accessToken: accessToken as string };
      const answer = await mutate(server, caller, 'deleteOrganization', 'deletedOrganizationId', { id, ...input });
      if (!answer.errors)
        expect(answer.data).toEqual({ deleteOrganization: { deletedOrganizationId: globalId('Organization', id) } });
      return refusalOf(answer);
    },
  },
];

/** An organization with a name, and everything that one can have. */
async function createScene() {
  const team = await createTeam(server);
  const name = `Harbour Arts & Co ${randomUUIDv7()}`;
  await send(server, team.owner, 'PATCH /organization', { name });
  const { body } = await send<{ slug: string }>(server, team.owner, 'GET /organization');
  const world = guestWorld(server, team);
  const guest = guestOf(server, team.organizationId);
  return { team, name, slug: body.slug, world, guest };
}

const page = async (path: string) => {
  const response = await fetch(`${server.url}${path}`, { redirect: 'manual' });
  await response.text();
  return response.status;
};

const isGone = async (id: string) => (await server.execute('select from organization where id = ?', [id])).length === 0;

describe.each(ways)('$name', ({ remove }) => {
  it('makes the organization unknown at once, tells the holders, and leaves nothing of it', async () => {
    const { team, name, slug, world, guest } = await createScene();
    const { owner, manager, member, organizationId } = team;
    const coming = await world.event({ capacity: 1 });
    const past = await world.event();
    const [address, other] = [guestAddress(), guestAddress()];
    const { token } = await guest.subscribe(coming.id, { email: address, name: 'Gus' });
    await send(server, member, `POST /events/${coming.id}/subscriptions`);
    await guest.subscribe(past.id, { email: other });
    await runOut(server, past.id);
    const calendar = await send<{ url: string }>(server, member, 'POST /auth/calendar');
    const key = await createKey(server, owner);
    await send(server, owner, 'POST /invitations', { email: guestAddress(), role: 'member' });
    await guest.request(coming.id, { email: guestAddress() });
    await send(server, manager, `PUT /events/${coming.id}/form`, {
      questions: [{ key: 'a', type: 'text', label: 'A' }],
    });
    const [before] = await Promise.all([countMails(server, address), mailsTo(server, member.email, 1)]);

    expect(await remove(owner, organizationId, { name })).toEqual({ code: null, pointers: [] });

    for (const person of [owner, manager, member]) {
      expectCode(await send(server, person, 'GET /events'), 403, 'ORGANIZATION_FORBIDDEN');
      expectCode(await send(server, person, `GET /organizations/${organizationId}`), 404, 'NOT_FOUND');
      expectCode(await send(server, person, `GET /organizations/${organizationId}/export`), 404, 'NOT_FOUND');
      expect((await remove(person, organizationId, { name })).code).toBe('NOT_FOUND');
      const me = await send<{ organizations: object[] }>(server, person, 'GET /auth/me');
      expect(me.body.organizations).toEqual([]);
    }
    expectCode(await send(server, { organizationId }, 'GET /public/events'), 403, 'ORGANIZATION_FORBIDDEN');
    for (const path of [`/o/${slug}`, `/o/${organizationId}`, `/o/${slug}/${coming.slug}`, `/o/${slug}/events.ics`]) {
      expect([path, await page(path)]).toEqual([path, 404]);
    }
    expectCode(await send(server, { accessToken: key.secret }, 'GET /events'), 401, 'INVALID_TOKEN');
    const ics = await (await fetch(calendar.body.url.replace('http://events.test', server.url))).text();
    expect(ics).not.toContain(coming.id);
    expectCode(await guest.lookup(token), 400, 'INVALID_VERIFICATION_TOKEN');
    const joining = { 'x-organization-id': organizationId };
    const fields = { email: guestAddress(), password: 'a long phrase of theirs', name: 'X' };
    expectCode(await send(server, {}, 'POST /auth/signup', fields, joining), 403, 'ORGANIZATION_FORBIDDEN');

    const cancelled = (await mailsTo(server, address, before + 1)).at(-1);
    expect(cancelled?.subject).toContain('Cancelled');
    expect(cancelled?.text).not.toContain('/my-subscription');
    expect(cancelled?.text).not.toContain('after all');
    expect((await mailsTo(server, member.email, 2))[1]?.subject).toContain('Cancelled');
    expect(await countMails(server, other)).toBe(2);
    await expect.poll(() => isGone(organizationId)).toBe(true);
    expect(await tablesWith(server, [organizationId, name, coming.id, past.id, key.id, address])).toEqual([]);
    // people stay
    expect((await send(server, member, 'GET /auth/me')).status).toBe(200);
    const logged = server.logLines.filter((line) => line.includes(organizationId) && line.includes('an organization'));
    expect(logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'an organization is being deleted',
      'an organization was deleted',
    ]);
  }, 60_000);

  it('takes the name, exactly, from an owner', async () => {
    const { team, name } = await createScene();
    const { owner, manager, member, organizationId } = team;
    for (const person of [manager, member]) {
      for (const input of [{ name }, { name: 'Other' }]) {
        expect((await remove(person, organizationId, input)).code).toBe('FORBIDDEN');
      }
    }
    // the role before the input
    expectCode(await send(server, manager, `DELETE /organizations/${organizationId}`), 403, 'FORBIDDEN');
    expectCode(await send(server, owner, `DELETE /organizations/${organizationId}`), 400, 'VALIDATION_ERROR');
    const stranger = await createTeam(server);
    expect((await remove(stranger.owner, organizationId, { name })).code).toBe('NOT_FOUND');
    expect((await remove(owner, 'nonsense', { name })).code).toBe('NOT_FOUND');
    expect((await remove({}, organizationId, { name })).code).toBe('INVALID_TOKEN');
    for (const wrong of [name.toLowerCase(), ` ${name}`, '']) {
      expect(await remove(owner, organizationId, { name: wrong })).toEqual({
        code: 'VALIDATION_ERROR',
        pointers: ['/name'],
      });
    }
    expect((await send(server, owner, 'GET /organization')).body).toMatchObject({ name });
  });
});

describe('a deletion that waits for its turn', () => {
  it.each(ways)(
    '$name: is refused to who has lost the role meanwhile, and for a name that has changed',
    async ({ remove }) => {
      for (const [statement, outcome] of [
        [`update membership set role = 'manager' where organization_id = ?`, { code: 'FORBIDDEN', pointers: [] }],
        [`update organization set name = 'Other' where id = ?`, { code: 'VALIDATION_ERROR', pointers: ['/name'] }],
      ] as const) {
        const { team, name } = await createScene();
        const { organizationId } = team;
        const held = await holding(server, 'select from organization where id = ? for no key update', [organizationId]);
        const asked = remove(team.owner, team.organizationId, { name });
        await untilLocked(server);
        await held.execute(statement, [team.organizationId]);
        await held.commit();
        expect(await asked).toEqual(outcome);
        expect(await isGone(team.organizationId)).toBe(false);
      }
    },
  );

  it.each(ways)('$name: of two owners at once, one deletes', async ({ remove }) => {
    const { team, name } = await createScene();
    const second = await join(server, team.organizationId, 'owner');
    const outcomes = await Promise.all(
      [team.owner, second].map((owner) => remove(owner, team.organizationId, { name })),
    );
    expect(outcomes.map(({ code }) => code).sort()).toEqual(['NOT_FOUND', null].sort());
  });
});

describe('a deleted organization', () => {
  it('ends what waits for it, and lets its members be', async () => {
    const { team, name } = await createScene();
    const { owner, organizationId } = team;
    // somebody who joins by a mail that is still unread keeps the account
    const email = guestAddress();
    const fields = { email, password: 'a long phrase of theirs', name: 'Nell' };
    await send(server, {}, 'POST /auth/signup', fields, { 'x-organization-id': organizationId });
    const token = await mailedToken(server, email);
    expect((await send(server, owner, `POST /organizations/${organizationId}/delete`, { name })).body).toBe(true);
    await expect.poll(() => isGone(organizationId)).toBe(true);
    expect((await send(server, {}, 'POST /auth/verify-email', { token })).body).toBe(true);
    const { accessToken } = await signIn(server.url, email, fields.password);
    expect((await send(server, { accessToken }, 'GET /auth/me')).body.organizations).toEqual([]);
  });

  it('keeps whoever has anything else', async () => {
    const { team, name, world, guest } = await createScene();
    const other = await createScene();
    const account = await insertUser(server.orm, { email: guestAddress() });
    const email = guestAddress();
    await guest.subscribe((await world.event()).id, { email });
    await other.guest.request((await other.world.event()).id, { email });
    await other.guest.confirm(await other.guest.mailed(email, 3));
    const member = await join(server, team.organizationId, 'member');
    await send(server, team.owner, `DELETE /organizations/${team.organizationId}`, { name });
    await expect.poll(() => isGone(team.organizationId)).toBe(true);
    const users = await server.execute<{ id: string }>('select id from "user" where id in (?, ?)', [
      account.id,
      member.userId,
    ]);
    expect(users).toHaveLength(2);
    expect(await other.world.subscriptionsOf(email)).toHaveLength(1);
  });
});
