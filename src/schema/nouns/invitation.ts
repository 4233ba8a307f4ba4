import { type InvitationRow, invitationResource } from '../../domain/invitation/invitation.resource.ts';
import { invitations } from '../../domain/invitation/invitation.ts';
import { builder } from '../builder/builder.ts';
import { resourceFields } from '../relay/node-fields.ts';
import { defineNode } from '../relay/node-types.ts';
import { organizationList } from './organization-list.ts';

export const InvitationRef = builder.objectRef<InvitationRow>('Invitation');

defineNode('Invitation', {
  organizational: true,
  loader: (ctx, selection) => invitations.loader(ctx, selection.columns()),
});

InvitationRef.implement({
  description: 'An invitation of an e-mail address to the organization, which is accepted with a token sent by mail.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...resourceFields(t, 'Invitation', invitationResource),
  }),
});

organizationList('invitations', {
  type: InvitationRef,
  items: 'invitations',
  description: 'The invitations that can still be accepted, oldest first; for managers and owners.',
  resource: invitationResource,
  list: invitations,
});
