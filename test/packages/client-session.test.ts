import { expect, it } from 'vitest';
import { createClient, type SessionState } from '../../packages/client/src/index.ts';
import { insertMembership, insertOrganization, password } from '../support/fixtures.ts';
import { serveTeam } from '../support/team.ts';

const { server, team } = await serveTeam();
const { id: second } = await insertOrganization(server.orm, { name: 'Second' });
await insertMembership(server.orm, { organizationId: second, userId: team.owner.userId });

function clientWith(fetchLike: typeof fetch = fetch) {
  const client = createClient({ url: server.url, organization: team.organizationId, fetch: fetchLike });
  const heard: SessionState[] = [];
  const stop = client.onSessionChange((state) => heard.push(state));
  return { client, heard, stop, signIn: () => client.signIn({ email: team.owner.email, password }) };
}

it('says when the user signs in, switches the organization and signs out', async () => {
  const { client, heard, stop, signIn } = clientWith();
  await signIn();
  client.switchOrganization(second);
  client.switchOrganization(second);
  expect(await client.get('/organization')).toMatchObject({ id: second, name: 'Second' });
  await client.signOut();
  expect(heard).toEqual([
    { signedIn: true, organization: team.organizationId },
    { signedIn: true, organization: second },
    { signedIn: false, organization: team.organizationId },
  ]);
  stop();
  await signIn();
  expect(heard).toHaveLength(3);
  // somebody else's data does not stay if nobody signed out
  const again: SessionState[] = [];
  client.onSessionChange((state) => again.push(state));
  await signIn();
  expect(again.map(({ signedIn }) => signedIn)).toEqual([false, true]);
});

it('cancels what is in flight for the previous organization, and does not repeat it for the next', async () => {
  const organizations: (string | null)[] = [];
  const { client, signIn } = clientWith(async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.includes('/events')) return await fetch(request);
    organizations.push(request.headers.get('x-organization-id'));
    if (organizations.length > 1) return await fetch(request);
    return await new Promise((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
  });
  await signIn();
  const read = client.get('/events');
  const followed = client.changes({ since: 'now' });
  const change = followed.next();
  await expect.poll(() => organizations).toEqual([team.organizationId]);
  client.switchOrganization(second);
  await expect(read).rejects.toMatchObject({ code: 'CANCELLED', status: 0 });
  await expect(change).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await client.get('/events')).toMatchObject({ items: [] });
  expect(organizations).toEqual([team.organizationId, second]);
});

it('says why, when the service ends the session', async () => {
  const { client, heard, signIn } = clientWith();
  const { client: other, signIn: signInElsewhere } = clientWith();
  await signIn();
  const change = client.changes({ since: 'now' }).next();
  await signInElsewhere();
  await other.delete('/auth/sessions');
  // the stream that the service ends is opened once more, which renews: refused, it ends
  await expect(change).rejects.toMatchObject({ code: 'INVALID_TOKEN', status: 401 });
  expect(heard.at(-1)).toMatchObject({ signedIn: false, reason: { code: 'INVALID_TOKEN' } });
  expect(client.signedIn).toBe(false);
}, 60_000);
