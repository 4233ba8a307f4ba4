import { serveToMembers } from '../../engine/list/served-list.ts';
import { acceptable } from './invitation.policy.ts';
import { type InvitationRow, invitationResource } from './invitation.resource.ts';

export const invitations = serveToMembers<InvitationRow>({
  resource: invitationResource,
  role: 'manager',
  visible: () => acceptable('t'),
  from: 'write',
});
