import type { ListResource } from '../../engine/list/resource.ts';
import { organizationRoles } from '../../kernel/request.ts';
import { field } from '../nouns/nouns.ts';
import type { Invitation } from './invitation.entity.ts';

const fields = {
  id: field.id('invitation', 'Identifier of the invitation.'),
  email: field.text('The invited e-mail address.'),
  role: field.choice(organizationRoles, 'The role that the invitation gives.'),
  inviter_id: field.id('user', 'The user who sent the invitation.', { nullable: true }),
  created_at: field.timestamp('When the invitation was created.'),
  expires_at: field.timestamp('When the invitation expires: after 7 days.'),
  mailed_at: field.timestamp('When the mail was sent; null until then.', { nullable: true }),
} satisfies { [Name in keyof Invitation]?: unknown };

export type InvitationRow = Pick<Invitation, keyof typeof fields>;

export const invitationResource: ListResource<keyof InvitationRow> = {
  name: 'invitation',
  table: 'invitation',
  order: 'created_at',
  fields,
};

export const invitationColumns = Object.keys(fields) as (keyof InvitationRow)[];
