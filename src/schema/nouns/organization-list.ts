import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { ReadName } from '../../domain/reads.ts';
import { type Context, type MemberContext, withMembership } from '../../engine/context.ts';
import type { ServedList } from '../../engine/list/served-list.ts';
import { DomainError } from '../../kernel/errors.ts';
import { builder, type Types } from '../builder/builder.ts';
import type { Connection } from '../relay/connection.ts';
import { type ListArguments, pageOfNodes } from '../relay/list-arguments.ts';
import { ownConnection, pagesOf } from '../relay/own-connection.ts';
import { OrganizationRef } from './organization.ts';

/** Adds a list to `Organization`; with a description for it, also to the root. */
export function listOfOrganization<Row>(
  field: ReadName,
  { type, args }: ReturnType<typeof pagesOf<Row>>,
  { description, ofRoot }: { description: string; ofRoot?: string },
  connect: (_: unknown, args: ListArguments, ctx: Context, info: GraphQLResolveInfo) => Promise<Connection<Row>>,
): void {
  const extensions = { read: field, cost: pageOfNodes };
  builder.objectField(OrganizationRef, field, (t) =>
    t.field({
      ...{ type, args, description, extensions },
      nullable: true,
      resolve: (organization, given, ctx, info) => connect(organization, given, requireScope(ctx, organization), info),
    }),
  );
  if (ofRoot === undefined) return;
  builder.queryField(field, (t) =>
    t.field({
      ...{ type, args, description: ofRoot, extensions: { ...extensions, access: 'organization' } },
      resolve: connect,
    }),
  );
}

interface OrganizationList<Row> {
  type: ObjectRef<Types, Row>;
  /** In descriptions; by default as the field. */
  items?: string;
  description: string;
  list: ServedList<MemberContext, Row>;
}

/** Returns the type of its connection. */
export function organizationList<Row>(
  field: ReadName,
  { type, items = field, description, list }: OrganizationList<Row>,
): ObjectRef<Types, Connection<Row>> {
  const pages = pagesOf(type, list.resource, items);
  listOfOrganization(field, pages, { description }, (_, args, ctx, info) =>
    ownConnection(info, args, withMembership(ctx), list),
  );
  return pages.type;
}

/** @throws DomainError ORGANIZATION_REQUIRED unless the request is scoped to this organization */
function requireScope(ctx: Context, organization: { id: string }): Context {
  if (ctx.membership?.organizationId !== organization.id) throw new DomainError('ORGANIZATION_REQUIRED');
  return ctx;
}
