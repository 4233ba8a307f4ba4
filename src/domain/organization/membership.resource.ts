import type { ListResource } from '../../engine/list/resource.ts';
import { mailboxOf } from '../../kernel/input/email-address.ts';
import { type OrganizationRole, organizationRoles } from '../../kernel/request.ts';
import { field } from '../nouns/nouns.ts';

/** A user's membership in an organization. `organization_id` is read if a face asks for the organization. */
export interface MembershipRow {
  id: string;
  user_id: string;
  role: OrganizationRole;
  created_at: string;
  organization_id: string;
}

/** The fields of memberships, and how each can be queried. */
export const membershipResource: ListResource<Exclude<keyof MembershipRow, 'organization_id'>> = {
  name: 'membership',
  table: 'membership',
  order: 'created_at',
  fields: {
    id: field.id('membership', 'Identifier of the membership.'),
    user_id: field.id('user', 'The user who belongs to the organization.'),
    role: field.choice(organizationRoles, 'The role of the user in the organization.'),
    created_at: field.timestamp('When the user joined.'),
  },
  filters: {
    name: field.search("The user's name."),
    email: {
      ...field.text("The user's e-mail address, however it is spelt; for managers and owners.", { nullable: true }),
      operators: ['eq'],
      column: 'mailbox',
      role: 'manager',
      normalize: mailboxOf,
    },
  },
};
