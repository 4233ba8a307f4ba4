import { deleteOrganization } from '../../domain/leaving/delete-organization.ts';
import { changeMemberRole, removeMember } from '../../domain/membership/manage-members.ts';
import { changeOrganization } from '../../domain/organization/change-organization.ts';
import { createOrganization } from '../../domain/organization/create-organization.ts';
import type { OrganizationRow } from '../../domain/organization/organization.resource.ts';
import { ownOrganizations } from '../../domain/organization/organization.ts';
import type { Types } from '../builder/builder.ts';
import { answerColumns } from '../builder/selection.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { oneNode } from '../relay/field-costs.ts';
import { removedId, rowField } from '../relay/resource-node.ts';
import { MembershipRef, OrganizationRef } from './organization.ts';

const object = { field: 'id', noun: 'membership' } as const;

/** The organization field of a payload with its id. */
export function organizationField(t: PothosSchemaTypes.ObjectFieldBuilder<Types, { organizationId: string }>) {
  return t.field({
    type: OrganizationRef,
    description: 'The organization after the mutation.',
    extensions: { cost: oneNode },
    resolve: ({ organizationId }, _args, ctx, info) =>
      ownOrganizations.loader(ctx, answerColumns(ctx, info)).load(organizationId) as Promise<OrganizationRow>,
  });
}

commandMutation({
  name: 'createOrganization',
  description: 'Creates an organization with the viewer as its owner.',
  command: createOrganization,
  parent: (organizationId) => ({ organizationId }),
  payload: (t) => ({ organization: organizationField(t) }),
});

commandMutation({
  name: 'updateOrganization',
  description:
    'Changes the organization that `x-organization-id` names, and what its public pages show; absent fields keep their values. For owners.',
  command: changeOrganization,
  versioned: true,
  payload: (t) => ({
    organization: rowField(t, OrganizationRef, 'The organization after the mutation.'),
  }),
});

commandMutation({
  name: 'deleteOrganization',
  description:
    'Deletes an organization, whose name is repeated: it is unknown at once, and gone within an hour. For owners.',
  command: deleteOrganization,
  object: { field: 'id', noun: 'organization' },
  payload: (t) => ({
    deletedOrganizationId: removedId(t, 'Organization', 'The global id of the deleted organization.'),
  }),
});

commandMutation({
  name: 'updateMemberRole',
  description: 'Changes the role of a member: owners can assign any role, managers `MANAGER` and `MEMBER`.',
  command: changeMemberRole,
  object,
  payload: (t) => ({
    membership: rowField(t, MembershipRef, 'The membership after the mutation.'),
  }),
});

commandMutation({
  name: 'removeMember',
  description: 'Removes a member, or leaves the organization. Takes effect with the next request.',
  command: removeMember,
  object,
  payload: (t) => ({
    removedMembershipId: removedId(t, 'Membership', 'The global id of the removed membership.'),
  }),
});
