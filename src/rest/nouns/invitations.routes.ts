import { acceptInvitation } from '../../domain/invitation/accept-invitation.ts';
import { invitationResource } from '../../domain/invitation/invitation.resource.ts';
import { invitations } from '../../domain/invitation/invitation.ts';
import { inviteMember, revokeInvitation } from '../../domain/invitation/invite.ts';
import { commandRoute } from '../server/command-route.ts';
import { itemRoute, listRoutes } from '../server/list.routes.ts';
import { viewOf } from '../server/list.schema.ts';
import { organizationView } from '../server/resource.schemas.ts';
import { tagged } from '../server/route.ts';
import { readOrganization } from './organizations.routes.ts';

const shown = { ...invitations, view: viewOf(invitationResource, 'Invitation') };

export const invitationRoutes = tagged('invitations', [
  ...listRoutes('invitations', 'Invitations', {
    ...shown,
    summary: 'Lists the invitations that can still be accepted, oldest first; for managers and owners.',
  }),
  commandRoute('POST /invitations', inviteMember, { created: ({ id }) => `/invitations/${id}`, shows: shown.view }),
  commandRoute('POST /invitations/accept', acceptInvitation, { shows: organizationView, answer: readOrganization }),
  itemRoute('invitations/{invitation}', 'Invitation', {
    ...shown,
    summary: 'One invitation that can still be accepted; for managers and owners.',
  }),
  commandRoute('DELETE /invitations/{invitation}', revokeInvitation),
]);
