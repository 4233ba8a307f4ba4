import { Membership } from '../../src/domain/organization/membership.entity.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { insertMember, insertOrganization } from './fixtures.ts';
import { serve, type TestServer, type TestServerOptions } from './server.ts';
import { type SignIn, signIn } from './sign-in.ts';

/** A signed-in member of an organization. */
export interface Person extends SignIn {
  userId: string;
  email: string;
  organizationId: string;
  membershipId: string;
}

/** Adds a person to an organization and signs in. */
export async function join(server: TestServer, organizationId: string, role: OrganizationRole): Promise<Person> {
  const { id, email } = await insertMember(server.orm, { organizationId, role, name: `A ${role}` });
  const membership = await server.orm.em
    .fork()
    .findOneOrFail(Membership, { organization_id: organizationId, user_id: id });
  return { ...(await signIn(server.url, email)), userId: id, email, organizationId, membershipId: membership.id };
}

/** An organization with one person of each role. */
export type Team = Record<OrganizationRole, Person> & { organizationId: string };

export async function createTeam(server: TestServer): Promise<Team> {
  const { id } = await insertOrganization(server.orm);
  return {
    organizationId: id,
    owner: await join(server, id, 'owner'),
    manager: await join(server, id, 'manager'),
    member: await join(server, id, 'member'),
  };
}

/** What most files use: a service with a team, until the last test of the file. */
export async function serveTeam(options?: TestServerOptions) {
  const server = await serve(options);
  return { server, team: await createTeam(server) };
}
