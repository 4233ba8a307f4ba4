import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import type { Context, MemberContext, Viewer } from '../domain/context.ts';
import { authenticate, enterOrganization } from '../domain/session/access.ts';
import { argumentsOf, type ReadArgument } from './arguments.ts';
import type { FieldExtensions } from './builder.ts';

type Variables = Record<string, unknown>;

/** A viewer; an organization besides; or the organization where the request names one, and none where it does not. */
export type Access = 'viewer' | 'organization' | 'organization where named';

/** What a root field needs, given its arguments as the client wrote them. */
export type FieldAccess = (argument: ReadArgument, viewer: Viewer) => Access;

/** The headers that say who asks and for which organization; every occurrence of each. */
export interface AccessHeaders {
  authorization?: string[] | undefined;
  'x-organization-id'?: string[] | undefined;
}

/** An operation that wants to be run. */
export interface AccessRequest {
  ctx: Context;
  headers: AccessHeaders;
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** As the client sent them. */
  variables: Variables;
}

/** A token that was sent must be good, whatever it was sent with. */
export async function checkPresentedToken(ctx: Context, headers: AccessHeaders): Promise<void> {
  if (headers.authorization) await authenticate(ctx, headers.authorization);
}

/**
 * Lets an operation pass that may be run: signed in where it reads anything of ours, in an organization where it reads
 * that organization's data. Looks at the document alone, so that it comes before validation (order of checks, decisions §3).
 *
 * @throws DomainError INVALID_TOKEN, ORGANIZATION_REQUIRED, ORGANIZATION_FORBIDDEN
 */
export async function requireAccess(request: AccessRequest): Promise<void> {
  const { ctx, headers, operation, variables } = request;
  const known = () => ({ ...defaults(operation), ...variables });
  const needs = fixedNeeds.get(operation) ?? findNeeds(request, known);
  if (needs.length === 0) return;
  if (!ctx.viewer) await authenticate(ctx, headers.authorization);
  const viewer = signedIn(ctx);
  const wanted = new Set(needs.map(({ access, node }) => access(argumentsOf(node, known), viewer)));
  const named = headers['x-organization-id'];
  if (wanted.has('organization') || (named && wanted.has('organization where named'))) {
    await enterOrganization(ctx, named);
  }
}

/** Who asks, in a resolver that access was checked for. */
export function signedIn(ctx: Context): Viewer {
  if (!ctx.viewer) throw new Error('this field needs a viewer');
  return ctx.viewer;
}

/** The context in a resolver whose organization was checked. */
export function memberContext(ctx: Context): MemberContext {
  if (!ctx.viewer || !ctx.membership) throw new Error('this field needs an organization');
  return ctx as MemberContext;
}

/** A root field that needs something. */
interface Need {
  node: FieldNode;
  access: FieldAccess;
}

/** Of operations whose root fields depend on no variable. */
const fixedNeeds = new WeakMap<OperationDefinitionNode, Need[]>();

function findNeeds({ schema, document, operation }: AccessRequest, variables: () => Variables): Need[] {
  const { nodes, fixed } = rootFields(document, operation, variables);
  const fields = schema.getRootType(operation.operation)?.getFields();
  const needs = nodes.flatMap((node) => {
    const access = (fields?.[node.name.value]?.extensions as FieldExtensions | undefined)?.access;
    return access ? [{ access, node }] : [];
  });
  if (fixed) fixedNeeds.set(operation, needs);
  return needs;
}

function defaults(operation: OperationDefinitionNode): Variables {
  const values = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return Object.fromEntries(values);
}

/**
 * The fields of the root that are not skipped, and whether they are so whatever the variables are. Each fragment is
 * opened once: none can hold the walk up.
 */
function rootFields(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: () => Variables,
): { nodes: FieldNode[]; fixed: boolean } {
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [],
    ),
  );
  const nodes: FieldNode[] = [];
  let fixed = true;
  const pending: SelectionSetNode[] = [operation.selectionSet];
  for (let set = pending.pop(); set; set = pending.pop()) {
    for (const node of set.selections) {
      if (node.directives?.length) fixed = false;
      if (isSkipped(node, variables)) continue;
      if (node.kind === Kind.FIELD) nodes.push(node);
      else if (node.kind === Kind.INLINE_FRAGMENT) pending.push(node.selectionSet);
      else {
        const fragment = fragments.get(node.name.value);
        fragments.delete(node.name.value);
        if (fragment) pending.push(fragment);
      }
    }
  }
  return { nodes, fixed };
}

function isSkipped(node: SelectionNode, variables: () => Variables): boolean {
  return (node.directives ?? []).some(({ name, arguments: args }) => {
    const condition = args?.find((each) => each.name.value === 'if');
    const value = condition && valueFromASTUntyped(condition.value, variables());
    return (name.value === 'skip' && value === true) || (name.value === 'include' && value === false);
  });
}
