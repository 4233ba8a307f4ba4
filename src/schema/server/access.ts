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
import { enterPublicScope } from '../../domain/public/public-scope.ts';
import { authenticate, enterOrganization } from '../../domain/session/access.ts';
import type { Context } from '../../engine/context.ts';
import { onlyValue } from '../../http/framing.ts';
import type { OrganizationRole } from '../../kernel/roles.ts';
import { argumentsOf } from '../execution/arguments.ts';
import type { Access, FieldAccess, FieldExtensions } from '../field-extensions.ts';

type Variables = Record<string, unknown>;

/** The headers for authentication and the organization; all occurrences of each. */
export interface AccessHeaders {
  authorization?: string[] | undefined;
  'x-organization-id'?: string[] | undefined;
  'idempotency-key'?: string[] | undefined;
}

/** An operation whose access is to be checked. */
export interface AccessRequest {
  ctx: Context;
  headers: AccessHeaders;
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** As the client sent them. */
  variables: Variables;
}

/** Checks an access token even if the operation does not need one; not for what is public, which looks at no token. */
export async function checkPresentedToken(
  ctx: Context,
  headers: AccessHeaders,
  request: AccessRequest | null,
): Promise<void> {
  if (request && isPublic(wantedAccess(request))) return;
  if (headers.authorization) await authenticate(ctx, onlyValue(headers.authorization));
}

/**
 * Checks the access of an operation: a signed-in user if it reads any of our data, an organization if it reads data of one.
 * Uses only the document, so that it can run before validation (order of checks, decisions §3).
 *
 * @throws DomainError INVALID_TOKEN, ORGANIZATION_REQUIRED, ORGANIZATION_FORBIDDEN
 */
export async function requireAccess(request: AccessRequest): Promise<void> {
  const { ctx, headers } = request;
  const wanted = wantedAccess(request);
  if (wanted.size === 0) return;
  if (!isPublic(wanted) && !ctx.viewer) await authenticate(ctx, onlyValue(headers.authorization));
  const named = headers['x-organization-id'];
  if (wanted.has('public')) await enterPublicScope(ctx, onlyValue(named));
  if (wanted.has('organization') || (named && wanted.has('organization if named'))) {
    await enterOrganization(ctx, onlyValue(named));
  }
}

function wantedAccess(request: AccessRequest): Set<Access> {
  const { ctx, operation, variables } = request;
  const known = () => ({ ...defaults(operation), ...variables });
  const needs = fixedNeeds.get(operation) ?? findNeeds(request, known);
  return new Set(needs.map(({ access, node }) => access(argumentsOf(node, known), ctx.viewer)));
}

function isPublic(wanted: ReadonlySet<Access>): boolean {
  return wanted.size === 1 && wanted.has('public');
}

/** The access that a root field needs. */
interface Need {
  node: FieldNode;
  access: FieldAccess;
}

/** The needs of operations whose root fields do not depend on variables. */
const fixedNeeds = new WeakMap<OperationDefinitionNode, Need[]>();

function findNeeds({ schema, document, operation }: AccessRequest, variables: () => Variables): Need[] {
  const { nodes, fixed } = rootFields(document, operation, variables);
  const needs = nodes.flatMap((node) => {
    const access = extensionsOf(schema, operation, node)?.access;
    return access ? [{ access, node }] : [];
  });
  if (fixed) fixedNeeds.set(operation, needs);
  return needs;
}

/** The number of root fields that an operation runs. */
export function countRootFields(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): number {
  const { nodes } = rootFields(document, operation, () => variables);
  return new Set(nodes.map(({ alias, name }) => (alias ?? name).value)).size;
}

/** The roles that the commands of an operation need. */
export function neededRoles(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): OrganizationRole[] {
  return rootFields(document, operation, () => variables).nodes.flatMap((node) => {
    const role = extensionsOf(schema, operation, node)?.command?.role;
    return role ? [role] : [];
  });
}

/** Whether an operation can be retried under an `Idempotency-Key`: not one that changes the viewer's own account. */
export function takesKey(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): boolean {
  const { nodes } = rootFields(document, operation, () => variables);
  return !nodes.some((node) => extensionsOf(schema, operation, node)?.command?.ofAccount);
}

/** Whether an operation runs a field whose input may be large. */
export function takesLargeInput(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): boolean {
  const { nodes } = rootFields(document, operation, () => ({}));
  return nodes.some((node) => extensionsOf(schema, operation, node)?.largeInput);
}

/** What a root field says of itself; undefined for a field that does not exist. */
function extensionsOf(
  schema: GraphQLSchema,
  { operation }: OperationDefinitionNode,
  { name }: FieldNode,
): FieldExtensions | undefined {
  return schema.getRootType(operation)?.getFields()[name.value]?.extensions;
}

function defaults(operation: OperationDefinitionNode): Variables {
  const values = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return Object.fromEntries(values);
}

/**
 * The root fields that are not skipped, and whether that is independent of variables. Each fragment is visited once, which
 * bounds the time.
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
