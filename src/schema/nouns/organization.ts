import { answerColumns } from '#compiled-graphql';
import { deleteOrganization } from '../../domain/leaving/delete-organization.ts';
import { changeMemberRole, removeMember } from '../../domain/membership/manage-members.ts';
import { field } from '../../domain/nouns/nouns.ts';
import { changeOrganization } from '../../domain/organization/change-organization.ts';
import { createOrganization } from '../../domain/organization/create-organization.ts';
import { type MembershipRow, membershipResource } from '../../domain/organization/membership.resource.ts';
import { membershipLoader, membershipsLoader } from '../../domain/organization/membership.ts';
import { type OrganizationRow, organizationResource } from '../../domain/organization/organization.resource.ts';
import { ownOrganizations } from '../../domain/organization/organization.ts';
import { type WaitingMails, waitingMailsLoader } from '../../domain/organization/waiting-mails.ts';
import { userLoader } from '../../domain/user/user.ts';
import { withMembership, withViewer } from '../../engine/context.ts';
import { organizationRoles } from '../../kernel/request.ts';
import { builder, type ObjectFields } from '../builder/builder.ts';
import { enumOf } from '../builder/enum-of.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { shortList } from '../relay/list-arguments.ts';
import { column, shownType } from '../relay/node-fields.ts';
import { namedRow, removedId, resourceNode, rowField } from '../relay/resource-node.ts';
import { UserRef, viewerField } from './user.ts';

const OrganizationMails = shownType<WaitingMails>(
  'OrganizationMails',
  'The mails of an organization that are waiting because it sent too many within an hour.',
  {
    waiting: field.number('The number of waiting mails to subscribers and guests; at most 20,000 are counted.'),
    next_at: field.timestamp('When the next of them can be sent; null if none is waiting.', { nullable: true }),
  },
);

export const OrganizationRef = resourceNode<OrganizationRow>('Organization', {
  description: 'An organization with events and members. The header `x-organization-id` scopes a request to one.',
  resource: organizationResource,
  loader: ownOrganizations.loader,
  organizational: false,
  without: ['role'],
  fields: (t) => ({
    viewerRole: t.expose('role', {
      type: enumOf(organizationRoles),
      ...column(organizationResource.fields, 'role'),
    }),
    mails: t.field({
      type: OrganizationMails,
      nullable: true,
      description: 'The waiting mails; null unless the viewer is a manager or owner of the organization.',
      extensions: { read: 'waitingMails', columns: ['id'], cost: 1 },
      resolve: ({ id }, _args, ctx) => waitingMailsLoader(ctx).load(id),
    }),
  }),
});

export function organizationField<Row extends { organization_id: string }>(t: ObjectFields<Row>, description: string) {
  return namedRow(t, OrganizationRef, { by: 'organization_id', loader: ownOrganizations.loader, description });
}

export const MembershipRef = resourceNode<MembershipRow>('Membership', {
  description: "A user's membership in an organization.",
  resource: membershipResource,
  loader: membershipLoader,
  organizational: false,
  fields: (t) => ({
    organization: organizationField(t, 'The organization.'),
    user: namedRow(t, UserRef, { by: 'user_id', loader: userLoader, description: 'The user.' }),
  }),
});

builder.objectFields(UserRef, (t) => ({
  memberships: t.field({
    type: [MembershipRef],
    description: "The viewer's memberships, oldest first; empty for any other user.",
    extensions: { read: 'organizations', cost: shortList },
    resolve: (user, _args, ctx) => (ctx.viewer?.userId === user.id ? membershipsLoader(ctx).load(user.id) : []),
  }),
}));

builder.queryField('organization', (t) =>
  t.field({
    type: OrganizationRef,
    description: 'The organization that the header `x-organization-id` names.',
    extensions: { read: 'organization', cost: 1, access: 'organization' },
    resolve: (_root, _args, ctx, info) => {
      const { organizationId } = withMembership(ctx).membership;
      return ownOrganizations.loader(ctx, answerColumns(ctx, info)).load(organizationId) as Promise<OrganizationRow>;
    },
  }),
);

/** After the viewer has joined an organization. */
export const joinedFields = (t: ObjectFields<{ organization_id: string }>) => ({
  organization: organizationField(t, 'The organization after the mutation.'),
  membership: t.field({
    type: MembershipRef,
    description: "The viewer's membership.",
    extensions: { cost: 1 },
    resolve: async ({ organization_id: id }, _args, ctx) => {
      const own = await membershipsLoader(ctx).load(withViewer(ctx).viewer.userId);
      return own.find(({ organization_id }) => organization_id === id) as MembershipRow;
    },
  }),
  viewer: viewerField(t),
});

commandMutation(createOrganization, joinedFields);
commandMutation(
  changeOrganization,
  (t) => ({ organization: rowField(t, OrganizationRef, 'The organization after the mutation.') }),
  {
    name: 'updateOrganization',
    description:
      'Changes the organization that `x-organization-id` names, and what its public pages show; absent fields keep their values. For owners.',
  },
);
commandMutation(deleteOrganization, (t) => ({
  deletedOrganizationId: removedId(t, 'Organization', 'The global id of the deleted organization.'),
}));
commandMutation(
  changeMemberRole,
  (t) => ({ membership: rowField(t, MembershipRef, 'The membership after the mutation.') }),
  {
    name: 'updateMemberRole',
    description: 'Changes the role of a member: owners can assign any role, managers `MANAGER` and `MEMBER`.',
  },
);
commandMutation(removeMember, (t) => ({
  removedMembershipId: removedId(t, 'Membership', 'The global id of the removed membership.'),
}));
