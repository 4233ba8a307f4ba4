import { type MembershipRow, membershipResource } from '../domain/organization/membership.resource.ts';
import type { OrganizationRow } from '../domain/organization/organization.resource.ts';
import type { UserRow } from '../domain/user/user.ts';
import { memberContext } from './access.ts';
import { builder } from './builder.ts';
import { oneNode } from './cost.ts';
import { OrganizationRole, OrganizationSignup } from './enums.ts';
import { column, nodeFields } from './node-fields.ts';
import { answerColumns, planOnce, Selection } from './selection.ts';
import { User, userColumns } from './user.ts';

export const Organization = builder.objectRef<OrganizationRow>('Organization');

Organization.implement({
  description: 'What events and members belong to; requests are scoped to one by the header `x-organization-id`.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...nodeFields(t, 'Organization'),
    name: t.exposeString('name', { description: 'Name.', extensions: { columns: ['name'] } }),
    slug: t.exposeString('slug', { description: 'Name in links, unique.', extensions: { columns: ['slug'] } }),
    signup: t.expose('signup', {
      type: OrganizationSignup,
      description: 'Who may join by sign-up.',
      extensions: { columns: ['signup'] },
    }),
    createdAt: t.expose('created_at', {
      type: 'DateTime',
      description: 'When the organization was created.',
      extensions: { columns: ['created_at'] },
    }),
  }),
});

export const Membership = builder.objectRef<MembershipRow>('Membership');

Membership.implement({
  description: 'What a user is in one organization.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...nodeFields(t, 'Membership'),
    role: t.expose('role', { ...column(membershipResource, 'role'), type: OrganizationRole }),
    createdAt: t.expose('created_at', { ...column(membershipResource, 'created_at'), type: 'DateTime' }),
    userId: t.exposeID('user_id', {
      description: 'The `databaseId` of the user.',
      extensions: { columns: ['user_id'] },
    }),
    organization: t.field({
      type: Organization,
      description: 'The organization.',
      extensions: { columns: ['organization_id'], cost: oneNode },
      resolve: (row, _args, ctx, info) =>
        ctx.loaders.organization(answerColumns(ctx, info)).load(row.organization_id) as Promise<OrganizationRow>,
    }),
    user: t.field({
      type: User,
      description: 'The user.',
      extensions: { columns: ['user_id'], cost: oneNode },
      resolve: (row, _args, ctx, info) => {
        const loader = planOnce(ctx, info, () => ctx.loaders.user(userColumns(Selection.answer(info))));
        return loader.load(row.user_id) as Promise<UserRow>;
      },
    }),
  }),
});

builder.queryField('organization', (t) =>
  t.field({
    type: Organization,
    description: 'The organization that the header `x-organization-id` names.',
    extensions: { cost: oneNode, access: () => 'organization' },
    resolve: (_root, _args, ctx, info) => {
      const { organizationId } = memberContext(ctx).membership;
      return ctx.loaders.organization(answerColumns(ctx, info)).load(organizationId) as Promise<OrganizationRow>;
    },
  }),
);
