import { acceptInvitation } from '../../domain/invitation/accept-invitation.ts';
import { type InvitationRow, invitationResource } from '../../domain/invitation/invitation.resource.ts';
import { invitations } from '../../domain/invitation/invitation.ts';
import { inviteMember, revokeInvitation } from '../../domain/invitation/invite.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { removedId, resourceNode, rowField } from '../relay/resource-node.ts';
import { joinedFields } from './organization.ts';
import { organizationList } from './organization-list.ts';
import { actingField } from './user.ts';

const InvitationRef = resourceNode<InvitationRow>('Invitation', {
  description: 'An invitation of an e-mail address to the organization, which is accepted with a token sent by mail.',
  resource: invitationResource,
  loader: invitations.loader,
  without: ['inviter_id'],
  fields: (t) => ({
    inviter: actingField(t, 'inviter_id', 'The user who sent the invitation.'),
  }),
});

organizationList('invitations', {
  type: InvitationRef,
  description: 'The invitations that can still be accepted, oldest first; for managers and owners.',
  list: invitations,
});

commandMutation(inviteMember, (t) => ({ invitation: rowField(t, InvitationRef, 'The invitation.') }));
commandMutation(revokeInvitation, (t) => ({
  revokedInvitationId: removedId(t, 'Invitation', 'The global id of the revoked invitation.'),
}));
commandMutation(acceptInvitation, joinedFields);
