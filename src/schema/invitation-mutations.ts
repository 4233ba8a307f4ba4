import { acceptInvitation, acceptInvitationInput } from '../domain/invitation/accept-invitation.ts';
import { inviteInput, inviteMember, revokeInvitation } from '../domain/invitation/invite.ts';
import { builder } from './builder.ts';
import { oneNode } from './cost.ts';
import { OrganizationRole } from './enums.ts';
import { globalId, parseEitherId } from './global-id.ts';
import { Invitation } from './invitation.ts';
import { asMember, asViewer, checkInput } from './mutation.ts';
import { organizationField } from './organization-mutations.ts';

builder.relayMutationField(
  'inviteMember',
  {
    description: 'Who is invited, as what.',
    inputFields: (t) => ({
      email: t.string({ required: true, description: 'The address that is invited.' }),
      role: t.field({ type: OrganizationRole, required: true, description: 'What the person will be.' }),
    }),
  },
  {
    description: 'Invites an address by mail, for 7 days. An older invitation of the address ends.',
    extensions: { access: () => 'organization' as const },
    resolve: async (_root, { input }, ctx) => {
      const fields = { email: input.email, role: input.role };
      return { row: await asMember(ctx, (own) => inviteMember(own, checkInput(inviteInput, fields))) };
    },
  },
  {
    description: 'What came of it.',
    outputFields: (t) => ({
      invitation: t.field({
        type: Invitation,
        description: 'The invitation.',
        extensions: { cost: oneNode },
        resolve: ({ row }) => row,
      }),
    }),
  },
);

builder.relayMutationField(
  'revokeInvitation',
  {
    description: 'Which invitation is to end.',
    inputFields: (t) => ({
      id: t.id({ required: true, description: 'The global id or the `databaseId` of an invitation.' }),
    }),
  },
  {
    description: 'Takes an invitation back.',
    extensions: { access: () => 'organization' as const },
    resolve: async (_root, { input }, ctx) => {
      const id = parseEitherId(input.id, 'Invitation') ?? '';
      await asMember(ctx, (own) => revokeInvitation(own, { id }));
      return { id };
    },
  },
  {
    description: 'What came of it.',
    outputFields: (t) => ({
      revokedInvitationId: t.id({
        description: 'The global id of the invitation that was.',
        resolve: ({ id }) => globalId('Invitation', id),
      }),
    }),
  },
);

builder.relayMutationField(
  'acceptInvitation',
  {
    description: 'The token of the mail.',
    inputFields: (t) => ({ token: t.string({ required: true, description: 'The token of the link.' }) }),
  },
  {
    description: 'Joins the organization that a mailed token invites to, with the address that was invited.',
    extensions: { access: () => 'viewer' as const },
    resolve: async (_root, { input }, ctx) => {
      const fields = checkInput(acceptInvitationInput, { token: input.token });
      return { organizationId: await asViewer(ctx, (own) => acceptInvitation(own, fields)) };
    },
  },
  { description: 'What came of it.', outputFields: (t) => ({ organization: organizationField(t) }) },
);
