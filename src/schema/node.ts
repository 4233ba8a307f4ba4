import type { GraphQLResolveInfo } from 'graphql';
import type { Context, Viewer } from '../domain/context.ts';
import { fault } from '../domain/errors.ts';
import { type Access, type FieldAccess, signedIn } from './access.ts';
import { builder } from './builder.ts';
import { nodePerId, oneNode } from './cost.ts';
import { type NodeType, parseGlobalId } from './global-id.ts';
import { planOnce, Selection } from './selection.ts';
import { userColumns } from './user.ts';

/** What there is only within an organization. */
const organizational: ReadonlySet<NodeType> = new Set(['Event', 'EventSubscription', 'Invitation', 'AuditEntry']);

/** `nodes` takes this many ids. */
const maxIds = 100;

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description: 'What a global id names; null for what is foreign, unknown or malformed.',
    args: { id: t.arg.id({ required: true, description: 'A global id.' }) },
    extensions: {
      cost: oneNode,
      access: ((argument, viewer) => idAccess([argument('id')], viewer)) satisfies FieldAccess,
    },
    resolve: (_root, args, ctx, info) => load(ctx, info, args.id),
  }),
  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: `What up to ${maxIds} global ids name, in their order; null for what is foreign, unknown or malformed.`,
    args: { ids: t.arg.idList({ required: true, description: 'Global ids.' }) },
    extensions: {
      cost: nodePerId,
      access: ((argument, viewer) => idAccess(argument('ids'), viewer)) satisfies FieldAccess,
    },
    resolve: (_root, args, ctx, info) => {
      if (args.ids.length > maxIds) throw fault('INVALID_QUERY', '/ids', `At most ${maxIds} ids can be given.`);
      return args.ids.map((id) => load(ctx, info, id));
    },
  }),
}));

/** Who one is, and where one belongs, can be asked without an organization; all the rest is data of one. */
function idAccess(ids: unknown, viewer: Viewer): Access {
  const named = [ids].flat().map(parseGlobalId);
  if (named.some((each) => each && needsOrganization(each.type, each.id, viewer))) return 'organization';
  // of memberships the own ones are read anywhere, those of others in their organization
  return named.some((each) => each?.type === 'Membership') ? 'organization where named' : 'viewer';
}

function needsOrganization(type: NodeType, id: string, viewer: Viewer): boolean {
  if (type === 'User') return id !== viewer.userId;
  return organizational.has(type);
}

async function load(ctx: Context, info: GraphQLResolveInfo, id: string): Promise<object | null> {
  const named = parseGlobalId(id);
  const row = named && (await loader(ctx, info, named.type, named.id).load(named.id));
  // a copy: the loader's row may be shown as another field's answer, too
  return row && { ...row, __typename: named.type };
}

function loader(ctx: Context, info: GraphQLResolveInfo, type: NodeType, id: string) {
  const selections = planOnce(ctx, info, () => new Map<NodeType, Selection>());
  const selection = selections.get(type) ?? Selection.answer(info, type);
  selections.set(type, selection);
  switch (type) {
    case 'Event':
      return ctx.loaders.event(selection.columns());
    case 'EventSubscription':
      return ctx.loaders.subscription(selection.columns());
    case 'User':
      return id === signedIn(ctx).userId
        ? ctx.loaders.user(userColumns(selection))
        : ctx.loaders.knownUser(userColumns(selection));
    case 'Organization':
      return ctx.loaders.organization(selection.columns());
    case 'Membership':
      return ctx.loaders.membership();
    case 'Invitation':
      return ctx.loaders.invitation(selection.columns());
    case 'Session':
      return ctx.loaders.session(selection.columns());
    case 'AuditEntry':
      return ctx.loaders.auditEntry(selection.columns());
  }
}
