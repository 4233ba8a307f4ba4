import { field, type ListResource } from '../list/resource.ts';
import { type OrganizationRole, organizationRoles } from './membership.entity.ts';

/** What a user is in one organization. `organization_id` is read where a face asks for the organization. */
export interface MembershipRow {
  id: string;
  user_id: string;
  role: OrganizationRole;
  created_at: string;
  organization_id: string;
}

/** What can be asked of the members of an organization. */
export const membershipResource: ListResource<Exclude<keyof MembershipRow, 'organization_id'>> = {
  name: 'membership',
  table: 'membership',
  order: 'created_at',
  fields: {
    id: field.id('Membership', 'Identifier of the membership.'),
    user_id: field.id('User', 'The user who belongs to the organization.'),
    role: field.choice(organizationRoles, 'What the user may do there.'),
    created_at: field.timestamp('When the user joined.'),
  },
};
