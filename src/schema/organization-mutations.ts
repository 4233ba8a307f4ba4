import { changeOrganization, changeOrganizationInput } from '../domain/organization/change-organization.ts';
import { createOrganization, createOrganizationInput } from '../domain/organization/create-organization.ts';
import { changeMemberRole, removeMember, roleInput } from '../domain/organization/manage-members.ts';
import type { OrganizationRow } from '../domain/organization/organization.resource.ts';
import { builder, type Types } from './builder.ts';
import { oneNode } from './cost.ts';
import { OrganizationRole, OrganizationSignup } from './enums.ts';
import { globalId, parseEitherId } from './global-id.ts';
import { asMember, asViewer, checkInput } from './mutation.ts';
import { Membership, Organization } from './organization.ts';
import { answerColumns } from './selection.ts';

/** The organization of a payload that knows its id. */
export function organizationField(t: PothosSchemaTypes.ObjectFieldBuilder<Types, { organizationId: string }>) {
  return t.field({
    type: Organization,
    description: 'The organization, as it is now.',
    extensions: { cost: oneNode },
    resolve: ({ organizationId }, _args, ctx, info) =>
      ctx.loaders.organization(answerColumns(ctx, info)).load(organizationId) as Promise<OrganizationRow>,
  });
}

builder.relayMutationField(
  'createOrganization',
  {
    description: 'What the organization is to be.',
    inputFields: (t) => ({ name: t.string({ required: true, description: 'Name, 1 to 200 characters.' }) }),
  },
  {
    description: 'Creates an organization whose owner is the viewer.',
    extensions: { access: () => 'viewer' as const },
    resolve: async (_root, { input }, ctx) => {
      const fields = checkInput(createOrganizationInput, { name: input.name });
      return { organizationId: await asViewer(ctx, (own) => createOrganization(own, fields)) };
    },
  },
  { description: 'What came of it.', outputFields: (t) => ({ organization: organizationField(t) }) },
);

builder.relayMutationField(
  'updateOrganization',
  {
    description: 'What is to change; what is absent or null stays.',
    inputFields: (t) => ({
      name: t.string({ description: 'Name, 1 to 200 characters.' }),
      signup: t.field({ type: OrganizationSignup, description: 'Who may join by sign-up.' }),
    }),
  },
  {
    description: 'Changes the organization that `x-organization-id` names; for owners.',
    extensions: { access: () => 'organization' as const },
    resolve: async (_root, { input }, ctx) => {
      const fields = { name: input.name ?? undefined, signup: input.signup ?? undefined };
      await asMember(ctx, (own) => changeOrganization(own, checkInput(changeOrganizationInput, fields)));
      return { organizationId: ctx.membership?.organizationId ?? '' };
    },
  },
  { description: 'What came of it.', outputFields: (t) => ({ organization: organizationField(t) }) },
);

builder.relayMutationField(
  'updateMemberRole',
  {
    description: 'Whose role is to be which.',
    inputFields: (t) => ({
      id: t.id({ required: true, description: 'The global id or the `databaseId` of a membership.' }),
      role: t.field({ type: OrganizationRole, required: true, description: 'The new role.' }),
    }),
  },
  {
    description: 'Gives a member another role: owners any, managers `MANAGER` and `MEMBER`.',
    extensions: { access: () => 'organization' as const },
    resolve: async (_root, { input }, ctx) => {
      const id = parseEitherId(input.id, 'Membership') ?? '';
      const { role } = checkInput(roleInput, { role: input.role });
      return { row: await asMember(ctx, (own) => changeMemberRole(own, { id, role })) };
    },
  },
  {
    description: 'What came of it.',
    outputFields: (t) => ({
      membership: t.field({
        type: Membership,
        description: 'The membership, as it is now.',
        extensions: { cost: oneNode },
        resolve: ({ row }) => row,
      }),
    }),
  },
);

builder.relayMutationField(
  'removeMember',
  {
    description: 'Who is to go.',
    inputFields: (t) => ({
      id: t.id({ required: true, description: 'The global id or the `databaseId` of a membership.' }),
    }),
  },
  {
    description: 'Removes a member, or leaves: whoever it was is out from the next request on.',
    extensions: { access: () => 'organization' as const },
    resolve: async (_root, { input }, ctx) => {
      const id = parseEitherId(input.id, 'Membership') ?? '';
      return await asMember(ctx, (own) => removeMember(own, { id }));
    },
  },
  {
    description: 'What came of it.',
    outputFields: (t) => ({
      removedMembershipId: t.id({
        description: 'The global id of the membership that was.',
        resolve: ({ id }) => globalId('Membership', id),
      }),
    }),
  },
);
