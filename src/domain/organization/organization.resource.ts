import type { ListResource } from '../../engine/list/resource.ts';
import { type OrganizationRole, organizationRoles } from '../../kernel/request.ts';
import { field } from '../nouns/nouns.ts';
import { type Organization, signupPolicies } from './organization.entity.ts';

const fields = {
  id: field.id('organization', 'Identifier of the organization.'),
  name: field.search('Name, 1 to 200 characters.'),
  slug: field.text('Name in links, unique.', { filter: true }),
  signup: field.choice(signupPolicies, 'Who may join by sign-up: anyone, or only people with an invitation.'),
  description: field.text('The description on its public page: Markdown, up to 20,000 characters.', { nullable: true }),
  website: field.text('Its own site, an http or https URL.', { nullable: true }),
  contact_email: field.text('The address that its public pages show for questions.', { nullable: true }),
  accent: field.text('The colour of its public pages, `#rrggbb` in lower case; null for ours.', { nullable: true }),
  version: field.number('Increases by one with each change of the organization.'),
  role: field.choice(organizationRoles, 'The role of the viewer in the organization.'),
  created_at: field.timestamp('When the organization was created.'),
};

/** An organization as its members see it (reference/organizations.md#organization). */
export type OrganizationRow = Pick<Organization, Exclude<keyof typeof fields, 'role'>> & { role: OrganizationRole };

export const organizationResource: ListResource<keyof OrganizationRow> = {
  name: 'organization',
  table: 'organization',
  order: 'created_at',
  fields,
};

export const organizationColumns = Object.keys(fields) as (keyof OrganizationRow)[];
