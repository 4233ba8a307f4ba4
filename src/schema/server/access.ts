import { type OperationDefinitionNode, valueFromASTUntyped } from 'graphql';
import { enterPublicScope } from '../../domain/public/public-scope.ts';
import { authenticate, enterOrganization } from '../../domain/session/access.ts';
import type { AnyCommand } from '../../engine/command.ts';
import type { Context } from '../../engine/context.ts';
import { onlyValue } from '../../http/framing.ts';
import { argumentsOf } from '../builder/arguments.ts';
import type { RequiredAccess } from '../builder/field-extensions.ts';
import type { KnownOperation, RootField, Variables } from '../execution/operation.ts';

/** The headers for authentication, the organization and retries; all occurrences of each. */
export interface AccessHeaders {
  authorization?: string[] | undefined;
  'x-organization-id'?: string[] | undefined;
  'idempotency-key'?: string[] | undefined;
}

/** An operation to check access for. */
export interface AccessRequest {
  ctx: Context;
  headers: AccessHeaders;
  operation: KnownOperation;
  /** As the client sent them. */
  variables: Variables;
}

/** Checks an access token if one is sent, even if the operation needs none; ignores it if the operation is public. */
export async function checkPresentedToken(
  ctx: Context,
  headers: AccessHeaders,
  request: AccessRequest | null,
): Promise<void> {
  if (request && isPublic(wantedAccess(request))) return;
  if (headers.authorization) await authenticate(ctx, onlyValue(headers.authorization));
}

/**
 * Checks the access that an operation requires: a signed-in user, an organization, or both. Uses only the document, so that it
 * can run before validation (interface/writes.md#order-of-checks).
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
  const wantsNamed = named !== undefined && wanted.has('organization if named');
  // a key is always in its organization
  if (wanted.has('organization') || wantsNamed || ctx.viewer?.key) {
    await enterOrganization(ctx, named && onlyValue(named));
  }
}

function wantedAccess({ ctx, operation, variables }: AccessRequest): Set<RequiredAccess> {
  const known = () => ({ ...defaults(operation.node), ...variables });
  const wanted = new Set<RequiredAccess>();
  for (const { node, extensions } of operation.rootFields(known)) {
    const { access } = extensions;
    if (access) wanted.add(typeof access === 'function' ? access(argumentsOf(node, known), ctx.viewer) : access);
  }
  return wanted;
}

function isPublic(wanted: ReadonlySet<RequiredAccess>): boolean {
  return wanted.size === 1 && wanted.has('public');
}

/** How many of these fields an operation runs: fields with the same response key are merged. */
export function countFields(roots: readonly RootField[]): number {
  return new Set(roots.map(({ node: { alias, name } }) => (alias ?? name).value)).size;
}

/** The commands that the fields of an operation run. */
export function commandsOf(roots: readonly RootField[]): AnyCommand[] {
  return roots.flatMap(({ extensions }) => extensions.command ?? []);
}

/** Whether an operation runs a field whose input may be large. */
export function takesLargeInput(operation: KnownOperation): boolean {
  return operation.rootFields(() => ({})).some(({ extensions }) => extensions.command?.large);
}

function defaults(operation: OperationDefinitionNode): Variables {
  const values = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return Object.fromEntries(values);
}
