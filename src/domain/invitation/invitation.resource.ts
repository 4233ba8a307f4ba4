import { field, type ListResource } from '../list/resource.ts';
import { type OrganizationRole, organizationRoles } from '../organization/membership.entity.ts';

/** An invitation as those who may invite read it. */
export interface InvitationRow {
  id: string;
  email: string;
  role: OrganizationRole;
  inviter_id: string | null;
  created_at: string;
  expires_at: string;
}

/** What can be asked of the invitations of an organization. */
export const invitationResource: ListResource<keyof InvitationRow> = {
  name: 'invitation',
  table: 'invitation',
  order: 'created_at',
  fields: {
    id: field.id('Invitation', 'Identifier of the invitation.'),
    email: field.text('The address that is invited.'),
    role: field.choice(organizationRoles, 'What the person will be in the organization.'),
    inviter_id: field.id('User', 'Who invited.', { nullable: true }),
    created_at: field.timestamp('When the invitation was made.'),
    expires_at: field.timestamp('Until when it can be accepted: 7 days.'),
  },
};

export const invitationColumns = Object.keys(invitationResource.fields) as (keyof InvitationRow)[];
