import { randomUUIDv7 } from 'node:crypto';
import type { InvitationRow } from '../../src/domain/invitation/invitation.resource.ts';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { insertUser } from './fixtures.ts';
import { mailedToken } from './mail.ts';
import { send } from './send.ts';
import { type Person, signIn, type TestServer } from './server.ts';

export const newAddress = () => `invited-${randomUUIDv7()}@example.org`;

/** Invitations of a server, and who accepts them. */
export function invitationsOf(server: TestServer) {
  const invite = (by: Person, email = newAddress(), role: unknown = 'member') =>
    send<InvitationRow>(server, by, 'POST /invitations', { email, role });
  return {
    invite,
    accept: ({ accessToken }: { accessToken: string }, token: string) =>
      send(server, { accessToken }, 'POST /invitations/accept', { token }),
    /** Somebody with an account whom a person invites, and the token of the mail; the address is written in another way. */
    invitee: async (by: Person, role: OrganizationRole = 'member') => {
      const { id: userId, email } = await insertUser(server.orm, { email: newAddress() });
      const { accessToken } = await signIn(server.url, email);
      const written = email.replace('invited', 'INVITED');
      const { body: invitation } = await invite(by, written, role);
      return { userId, email, accessToken, invitation, token: await mailedToken(server, written) };
    },
    pending: async (email: string) =>
      (await server.execute('select from invitation where lower(email) = lower(?)', [email])).length,
    roleOf: async (userId: string, organizationId: string) =>
      (await server.orm.em.fork().findOne(Membership, { user_id: userId, organization_id: organizationId }))?.role ??
      null,
  };
}
