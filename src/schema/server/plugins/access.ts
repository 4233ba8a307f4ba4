import { type OperationDefinitionNode, valueFromASTUntyped } from 'graphql';
import { argumentsOf } from '#compiled-graphql';
import { enterPublicScope } from '../../../domain/public/public-scope.ts';
import { authenticate, enterOrganization } from '../../../domain/session/access.ts';
import { onlyValue } from '../../../http/incoming.ts';
import type { FieldExtensions, RequiredAccess } from '../../builder/field-extensions.ts';
import type { Served, ServedPlugin } from './served.ts';

/**
 * Uses only the document, so that it can run before validation (reference/writes.md#order-of-checks). An access token
 * is checked even if the operation is invalid or needs none, unless it is public. Refuses with INVALID_TOKEN,
 * ORGANIZATION_REQUIRED, ORGANIZATION_FORBIDDEN.
 */
export function useAccess(): ServedPlugin {
  return {
    async onParams({ context }) {
      const { ctx } = context;
      const { authorization, 'x-organization-id': named } = context.incoming.headersDistinct;
      if (authorization && !isPublic(wantedAccess(context))) await authenticate(ctx, onlyValue(authorization));
      // which may depend on the viewer
      const wanted = wantedAccess(context);
      if (wanted.size === 0) return;
      if (!isPublic(wanted) && !ctx.viewer) await authenticate(ctx, onlyValue(authorization));
      if (wanted.has('public')) await enterPublicScope(ctx, onlyValue(named));
      const wantsNamed = named !== undefined && wanted.has('organization if named');
      // a key is always in its organization
      if (wanted.has('organization') || wantsNamed || ctx.viewer?.key) {
        await enterOrganization(ctx, named && onlyValue(named));
      }
    },
  };
}

function wantedAccess({ ctx, operation, asked }: Served): Set<RequiredAccess> {
  const wanted = new Set<RequiredAccess>();
  if (!operation) return wanted;
  const known = () => ({ ...defaults(operation.node), ...asked.variables });
  for (const { node, extensions } of operation.rootFields<FieldExtensions>(known)) {
    const { access } = extensions;
    if (access) wanted.add(typeof access === 'function' ? access(argumentsOf(node, known), ctx.viewer) : access);
  }
  return wanted;
}

function isPublic(wanted: ReadonlySet<RequiredAccess>): boolean {
  return wanted.size > 0 && [...wanted].every((each) => each === 'public' || each === 'anyone');
}

function defaults(operation: OperationDefinitionNode): Record<string, unknown> {
  const values = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return Object.fromEntries(values);
}
