import { acceptInvitation } from '../../domain/invitation/accept-invitation.ts';
import { inviteMember, revokeInvitation } from '../../domain/invitation/invite.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { removedId, rowField } from '../relay/resource-node.ts';
import { InvitationRef } from './invitation.ts';
import { organizationField } from './organization-mutations.ts';

commandMutation({
  name: 'inviteMember',
  description:
    'Invites an e-mail address; the invitation expires after 7 days. Replaces an older invitation of the address.',
  command: inviteMember,
  payload: (t) => ({
    invitation: rowField(t, InvitationRef, 'The invitation.'),
  }),
});

commandMutation({
  name: 'revokeInvitation',
  description: 'Revokes an invitation.',
  command: revokeInvitation,
  object: { field: 'id', noun: 'invitation' },
  parent: (_result, { id }) => ({ id }),
  payload: (t) => ({
    revokedInvitationId: removedId(t, 'Invitation', 'The global id of the revoked invitation.'),
  }),
});

commandMutation({
  name: 'acceptInvitation',
  description:
    "Joins an organization with the token of an invitation, which must have been sent to the viewer's address.",
  command: acceptInvitation,
  parent: (organizationId) => ({ organizationId }),
  payload: (t) => ({ organization: organizationField(t) }),
});
