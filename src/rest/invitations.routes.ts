import { z } from 'zod';
import { acceptInvitation, acceptInvitationInput } from '../domain/invitation/accept-invitation.ts';
import { type InvitationRow, invitationColumns, invitationResource } from '../domain/invitation/invitation.resource.ts';
import { countInvitations, listInvitations } from '../domain/invitation/invitation.ts';
import { inviteInput, inviteMember, revokeInvitation } from '../domain/invitation/invite.ts';
import { organizationColumns } from '../domain/organization/organization.resource.ts';
import { getOwnOrganization } from '../domain/organization/organization.ts';
import { pick } from './list.presenter.ts';
import { listRoutes } from './list.routes.ts';
import { invitationSchema, organizationSchema } from './resource.schemas.ts';
import { type Route, route } from './route.ts';

/** Who may join the organization by a mail. */
export const invitationRoutes: Route[] = [
  ...listRoutes<'organization', InvitationRow>({
    path: '/invitations',
    name: 'Invitations',
    listName: 'InvitationList',
    summary: 'Lists the invitations that can still be accepted, oldest first; for managers and owners.',
    tag: 'invitations',
    access: 'organization',
    role: 'manager',
    projection: { resource: invitationResource, relations: [] },
    item: invitationSchema,
    list: listInvitations,
    count: countInvitations,
  }),
  route({
    method: 'post',
    path: '/invitations',
    operationId: 'inviteMember',
    summary: 'Invites an address by mail, for 7 days. An older invitation of the address ends.',
    tag: 'invitations',
    access: 'organization',
    role: 'manager',
    body: inviteInput,
    response: invitationSchema,
    errors: ['FORBIDDEN', 'CONFLICT'],
    handle: async ({ ctx, body }) => pick(await inviteMember(ctx, body), invitationColumns),
  }),
  // before the path with a parameter, which would take its place
  route({
    method: 'post',
    path: '/invitations/accept',
    operationId: 'acceptInvitation',
    summary: 'Joins the organization that a mailed token invites to, with the address that was invited.',
    tag: 'invitations',
    access: 'user',
    body: acceptInvitationInput,
    response: organizationSchema,
    errors: ['INVALID_INVITATION_TOKEN'],
    handle: async ({ ctx, body }) => getOwnOrganization(ctx, await acceptInvitation(ctx, body), organizationColumns),
  }),
  route({
    method: 'delete',
    path: '/invitations/{invitation}',
    operationId: 'revokeInvitation',
    summary: 'Takes an invitation back.',
    tag: 'invitations',
    access: 'organization',
    role: 'manager',
    response: z.literal(true),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    handle: async ({ ctx, params }) => {
      await revokeInvitation(ctx, { id: params.invitation ?? '' });
      return true;
    },
  }),
];
