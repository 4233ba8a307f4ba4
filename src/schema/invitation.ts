import { type InvitationRow, invitationResource } from '../domain/invitation/invitation.resource.ts';
import { countInvitations, listInvitations } from '../domain/invitation/invitation.ts';
import { builder } from './builder.ts';
import { connectionType, pageArguments } from './connection.ts';
import { pageOfNodes } from './cost.ts';
import { OrganizationRole } from './enums.ts';
import { column, nodeFields } from './node-fields.ts';
import { Organization } from './organization.ts';
import { contextOf, ownConnection } from './own-connection.ts';
import { whereInput } from './where.ts';

export const Invitation = builder.objectRef<InvitationRow>('Invitation');

Invitation.implement({
  description: 'An address that may join the organization by a mailed token.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...nodeFields(t, 'Invitation'),
    email: t.exposeString('email', column(invitationResource, 'email')),
    role: t.expose('role', { ...column(invitationResource, 'role'), type: OrganizationRole }),
    inviterId: t.exposeID('inviter_id', { ...column(invitationResource, 'inviter_id'), nullable: true }),
    createdAt: t.expose('created_at', { ...column(invitationResource, 'created_at'), type: 'DateTime' }),
    expiresAt: t.expose('expires_at', { ...column(invitationResource, 'expires_at'), type: 'DateTime' }),
  }),
});

const InvitationConnection = connectionType(Invitation, 'invitations');
const InvitationWhere = whereInput('InvitationWhere', invitationResource);

builder.objectField(Organization, 'invitations', (t) =>
  t.field({
    type: InvitationConnection,
    nullable: true,
    description: 'The invitations that can still be accepted, oldest first; for managers and owners.',
    args: {
      where: t.arg({ type: InvitationWhere, description: 'Only invitations for which this holds.' }),
      ...pageArguments,
    },
    extensions: { cost: pageOfNodes },
    resolve: (organization, args, ctx, info) => {
      const member = contextOf(ctx, organization);
      return ownConnection(info, invitationResource, args, {
        list: (input) => listInvitations(member, input),
        count: (where, max) => countInvitations(member, where, max),
      });
    },
  }),
);
