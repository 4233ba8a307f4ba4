import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../engine/context.ts';
import { fault } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/request.ts';
import { builder } from '../builder/builder.ts';
import type { FieldAccess, RequiredAccess } from '../builder/field-extensions.ts';
import { planOnce, Selection } from '../builder/selection.ts';
import { nodePerId, oneNode } from './field-costs.ts';
import { type NodeType, parseGlobalId } from './global-id.ts';
import { nodeDefinition } from './node-types.ts';

/** The maximum number of ids for `nodes`. */
const maxIds = 100;

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description: 'The object with a global id; null if the id is unknown, malformed, or not visible to the viewer.',
    args: { id: t.arg.id({ required: true, description: 'A global id.' }) },
    extensions: {
      cost: oneNode,
      access: ((argument, viewer) => idAccess([argument('id')], viewer)) satisfies FieldAccess,
    },
    resolve: (_root, args, ctx, info) => loadNode(ctx, info, parseGlobalId(args.id)),
  }),
  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: `The objects with up to ${maxIds} global ids, in the same order; null for each id that is unknown, malformed, or not visible to the viewer.`,
    args: { ids: t.arg.idList({ required: true, description: 'Global ids.' }) },
    extensions: {
      cost: nodePerId,
      access: ((argument, viewer) => idAccess(argument('ids'), viewer)) satisfies FieldAccess,
    },
    resolve: (_root, args, ctx, info) => {
      if (args.ids.length > maxIds) throw fault('INVALID_QUERY', '/ids', `At most ${maxIds} ids can be given.`);
      return args.ids.map((id) => loadNode(ctx, info, parseGlobalId(id)));
    },
  }),
}));

/** The access that ids require: the viewer and their organizations need no organization, all other data belong to one. */
function idAccess(ids: unknown, viewer: Viewer | null): RequiredAccess {
  const named = [ids].flat().map(parseGlobalId);
  if (named.length > 0 && named.every((each) => each && nodeDefinition(each.type).public)) return 'public';
  if (named.some((each) => each && needsOrganization(each.type, each.id, viewer))) return 'organization';
  // the viewer's own memberships can be read anywhere, those of others only in their organization
  return named.some((each) => each?.type === 'Membership') ? 'organization if named' : 'viewer';
}

function needsOrganization(type: NodeType, id: string, viewer: Viewer | null): boolean {
  const { organizational } = nodeDefinition(type);
  return typeof organizational === 'boolean' ? organizational : organizational(id, viewer?.userId ?? null);
}

/** The object that is named, with the columns selected below a field of type `Node`; null if the viewer may not see it. */
export async function loadNode(
  ctx: Context,
  info: GraphQLResolveInfo,
  named: { type: NodeType; id: string } | null,
): Promise<object | null> {
  const row = named && (await loader(ctx, info, named.type, named.id).load(named.id));
  // a copy, since other fields may use the loader's row
  return row && { ...row, __typename: named.type };
}

function loader(ctx: Context, info: GraphQLResolveInfo, type: NodeType, id: string) {
  const selections = planOnce(ctx, info, () => new Map<NodeType, Selection>());
  const selection = selections.get(type) ?? Selection.answer(info, type);
  selections.set(type, selection);
  return nodeDefinition(type).loader(ctx, selection, id);
}
