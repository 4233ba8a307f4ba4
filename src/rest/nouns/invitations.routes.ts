import { acceptInvitation } from '../../domain/invitation/accept-invitation.ts';
import {
  type InvitationRow,
  invitationColumns,
  invitationResource,
} from '../../domain/invitation/invitation.resource.ts';
import { invitations } from '../../domain/invitation/invitation.ts';
import { inviteMember, revokeInvitation } from '../../domain/invitation/invite.ts';
import { organizationColumns } from '../../domain/organization/organization.resource.ts';
import { ownOrganizations } from '../../domain/organization/organization.ts';
import { pick } from '../../kernel/pick.ts';
import { commandRoute } from '../server/command-route.ts';
import { itemRoute, listRoutes } from '../server/list.routes.ts';
import { invitationSchema, organizationSchema } from '../server/resource.schemas.ts';
import type { Route } from '../server/route.ts';

const projection = { resource: invitationResource, relations: [] };

/** Invitations to the organization. */
export const invitationRoutes: Route[] = [
  ...listRoutes<'organization', InvitationRow>({
    path: '/invitations',
    name: 'Invitations',
    read: 'invitations',
    summary: 'Lists the invitations that can still be accepted, oldest first; for managers and owners.',
    tag: 'invitations',
    access: 'organization',
    projection,
    item: invitationSchema,
    ...invitations,
  }),
  commandRoute({
    method: 'post',
    path: '/invitations',
    operationId: 'inviteMember',
    summary:
      'Invites an e-mail address; the invitation expires after 7 days. Replaces an older invitation of the address.',
    tag: 'invitations',
    command: inviteMember,
    created: ({ id }) => `/invitations/${id}`,
    response: invitationSchema,
    answer: (_ctx, invitation) => pick(invitation, invitationColumns),
  }),
  // before the path with a parameter, which would match as well
  commandRoute({
    method: 'post',
    path: '/invitations/accept',
    operationId: 'acceptInvitation',
    summary:
      "Joins an organization with the token of an invitation, which must have been sent to the viewer's address.",
    tag: 'invitations',
    command: acceptInvitation,
    response: organizationSchema,
    answer: (ctx, organizationId) => ownOrganizations.get(ctx, organizationId, organizationColumns),
  }),
  itemRoute({
    path: '/invitations/{invitation}',
    operationId: 'getInvitation',
    read: 'invitation',
    summary: 'One invitation that can still be accepted; for managers and owners.',
    tag: 'invitations',
    access: 'organization',
    role: 'manager',
    projection,
    response: invitationSchema,
    get: async ({ ctx, params }, { fields }) =>
      pick(await invitations.get(ctx, params.invitation ?? '', fields), fields),
  }),
  commandRoute({
    method: 'delete',
    path: '/invitations/{invitation}',
    operationId: 'revokeInvitation',
    summary: 'Revokes an invitation.',
    tag: 'invitations',
    command: revokeInvitation,
    object: 'invitation',
  }),
];
