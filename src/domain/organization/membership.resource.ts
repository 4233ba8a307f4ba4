import { mailboxOf } from '#input-values';
import type { ListResource } from '../../engine/list/resource.ts';
import { organizationRoles } from '../../kernel/request.ts';
import { field } from '../nouns/nouns.ts';
import type { Membership } from './membership.entity.ts';

const fields = {
  id: field.id('membership', 'Identifier of the membership.'),
  user_id: field.id('user', 'The user who belongs to the organization.'),
  role: field.choice(organizationRoles, 'The role of the user in the organization.'),
  created_at: field.timestamp('When the user joined.'),
};

/** `organization_id` is read only if an API asks for the organization. */
export type MembershipRow = Pick<Membership, keyof typeof fields | 'organization_id'>;

export const membershipResource: ListResource<keyof typeof fields> = {
  name: 'membership',
  table: 'membership',
  order: 'created_at',
  fields,
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
