import { field, type ListResource } from '../../engine/list/resource.ts';
import { type OrganizationRole, organizationRoles } from '../../kernel/roles.ts';

/** An invitation as managers and owners see it. */
export interface InvitationRow {
  id: string;
  email: string;
  role: OrganizationRole;
  inviter_id: string | null;
  created_at: string;
  expires_at: string;
  mailed_at: string | null;
}

/** The fields of invitations, and how each can be queried. */
export const invitationResource: ListResource<keyof InvitationRow> = {
  name: 'invitation',
  table: 'invitation',
  order: 'created_at',
  fields: {
    id: field.id('invitation', 'Identifier of the invitation.'),
    email: field.text('The invited e-mail address.'),
    role: field.choice(organizationRoles, 'The role that the invitation gives.'),
    inviter_id: field.id('user', 'The user who sent the invitation.', { nullable: true }),
    created_at: field.timestamp('When the invitation was created.'),
    expires_at: field.timestamp('When the invitation expires: after 7 days.'),
    mailed_at: field.timestamp('When the mail was sent; null until then.', { nullable: true }),
  },
};

export const invitationColumns = Object.keys(invitationResource.fields) as (keyof InvitationRow)[];
