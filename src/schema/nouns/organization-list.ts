import type { ObjectRef } from '@pothos/core';
import type { ReadName } from '../../domain/reads.ts';
import { type Context, type MemberContext, withMembership } from '../../engine/context.ts';
import type { ListResource } from '../../engine/list/resource.ts';
import type { ServedList } from '../../engine/list/served-list.ts';
import { DomainError } from '../../kernel/errors.ts';
import { builder, type Types } from '../builder/builder.ts';
import { connectionType } from '../relay/connection.ts';
import { filteredPage, pageOfNodes } from '../relay/list-arguments.ts';
import { ownConnection } from '../relay/own-connection.ts';
import { OrganizationRef } from './organization.ts';

interface OrganizationList<Row> {
  type: ObjectRef<Types, Row>;
  /** In descriptions. */
  items: string;
  description: string;
  resource: ListResource;
  list: ServedList<MemberContext, Row>;
}

/** Adds a list to `OrganizationRef`; returns its connection type. */
export function organizationList<Row>(
  field: ReadName,
  { type, items, description, resource, list }: OrganizationList<Row>,
) {
  const connection = connectionType(type, items);
  const args = filteredPage(`${type.name}Where`, resource, items);
  builder.objectField(OrganizationRef, field, (t) =>
    t.field({
      type: connection,
      nullable: true,
      description,
      args,
      extensions: { read: field, cost: pageOfNodes },
      resolve: (organization, given, ctx, info) =>
        ownConnection(info, resource, given, contextOf(ctx, organization), list),
    }),
  );
  return connection;
}

/** @throws DomainError ORGANIZATION_REQUIRED unless the request is scoped to this organization */
export function contextOf(ctx: Context, organization: { id: string }): MemberContext {
  if (ctx.membership?.organizationId !== organization.id) throw new DomainError('ORGANIZATION_REQUIRED');
  return withMembership(ctx);
}
