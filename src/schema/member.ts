import { membershipResource } from '../domain/organization/membership.resource.ts';
import { countMembers, listMembers } from '../domain/organization/membership.ts';
import { builder } from './builder.ts';
import { connectionType, pageArguments } from './connection.ts';
import { pageOfNodes } from './cost.ts';
import { Membership, Organization } from './organization.ts';
import { contextOf, ownConnection } from './own-connection.ts';
import { whereInput } from './where.ts';

const MembershipConnection = connectionType(Membership, 'memberships');
const MembershipWhere = whereInput('MembershipWhere', membershipResource);

builder.objectField(Organization, 'members', (t) =>
  t.field({
    type: MembershipConnection,
    nullable: true,
    description:
      'Who belongs to it, oldest first, as far as the viewer may see: managers and owners all, members themselves.',
    args: {
      where: t.arg({ type: MembershipWhere, description: 'Only memberships for which this holds.' }),
      ...pageArguments,
    },
    extensions: { cost: pageOfNodes },
    resolve: (organization, args, ctx, info) => {
      const member = contextOf(ctx, organization);
      return ownConnection(info, membershipResource, args, {
        list: (input) => listMembers(member, input),
        count: (where, max) => countMembers(member, where, max),
      });
    },
  }),
);
