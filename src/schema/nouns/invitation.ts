import { type InvitationRow, invitationResource } from '../../domain/invitation/invitation.resource.ts';
import { invitations } from '../../domain/invitation/invitation.ts';
import { resourceNode } from '../relay/resource-node.ts';
import { organizationList } from './organization-list.ts';

export const InvitationRef = resourceNode<InvitationRow>('Invitation', {
  description: 'An invitation of an e-mail address to the organization, which is accepted with a token sent by mail.',
  resource: invitationResource,
  loader: invitations.loader,
});

organizationList('invitations', {
  type: InvitationRef,
  items: 'invitations',
  description: 'The invitations that can still be accepted, oldest first; for managers and owners.',
  resource: invitationResource,
  list: invitations,
});
