import type { Request } from 'express';
import type { ZodType } from 'zod';
import { type Command, type CommandContexts, execute, noFields } from '../../engine/command.ts';
import type { VersionGuard } from '../../engine/version-guard.ts';
import { entityTags } from '../../http/entity-tags.ts';
import { pick } from '../../kernel/objects.ts';
import { pathBelow } from '../../kernel/path-below.ts';
import type { View } from './list.schema.ts';
import { done, type Endpoint, type HeaderDoc, type ParameterDoc, partsOf, type Route, type Untagged } from './route.ts';
import type { RawParameters } from './url-query.ts';

/** Description, access, input and errors come from the command. */
interface CommandRoute<Access extends keyof CommandContexts, Result>
  extends Partial<Pick<Route, 'operationId' | 'summary' | 'parameters'>> {
  /** Reads the input of a DELETE; without it, the body is ignored. */
  readDelete?(body: unknown, query: RawParameters<string>): unknown;
  /** The path of the created object, for a 201. */
  created?(result: Result): string;
  /** The view that is returned, with all columns. */
  shows?: View;
  /** The response if it is not a view; without both it is `true`. */
  response?: ZodType;
  /** By default the result. */
  answer?(ctx: CommandContexts[Access], result: Result): unknown;
  /** Whether the response's version is the entity tag. */
  versionTag?: true;
}

/** The last path parameter is the object's id, the one before it that of its parent. */
export function commandRoute<Access extends keyof CommandContexts, Input, Result>(
  endpoint: Endpoint,
  command: Command<Access, Input, Result>,
  options: CommandRoute<Access, Result> = {},
): Untagged {
  const { readDelete, created, shows, response: schema = shows?.schema ?? done, versionTag: isTagged } = options;
  const { answer = (_ctx, result) => (schema === done ? true : result) } = options;
  const { method, path } = partsOf(endpoint);
  const [object, within] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string).reverse();
  const ignoresBody = method === 'delete' && readDelete === undefined;
  const { versioned = false } = command;
  const { operationId = command.name, summary = command.description, parameters = [] } = options;
  return {
    ...{ method, path, operationId, summary, response: schema },
    access: command.access,
    ...(command.role ? { role: command.role } : {}),
    ...(command.keys ? { keys: command.keys } : {}),
    ...(command.large ? { largeBody: true } : {}),
    ...(command.input === noFields || ignoresBody ? {} : { body: command.input }),
    errors: [...command.errors, 'RATE_LIMITED'],
    checked: 'by its command',
    runs: { command, object },
    parameters: versioned ? [...parameters, ifMatchDoc] : parameters,
    ...(isTagged ? { headers: { ETag: versionTagDoc } } : {}),
    ...(created ? { created: true } : {}),
    async handle({ ctx, params, query, body, request, response }) {
      const id = object === undefined ? '' : (params[object] ?? '');
      const call = { id, within: within && params[within], guard: versioned ? readIfMatch(request) : undefined };
      const sent = ignoresBody ? {} : readDelete ? readDelete(body, query) : body;
      const result = await execute(command, ctx, sent, call);
      if (created) {
        response.status(201).set('location', pathBelow(ctx.services.settings.publicUrl, created(result)));
      }
      // execute has checked that the context has what the command needs
      const answered = await answer(ctx as CommandContexts[Access], result);
      if (isTagged) response.set('etag', versionTag((answered as { version: number }).version));
      return shows ? pick(answered as object, shows.columns) : answered;
    },
  };
}

/** A strong entity tag (RFC 9110, section 8.8.3). */
export function versionTag(version: number): string {
  return `"${version}"`;
}

export const versionTagDoc: HeaderDoc = {
  description: 'The version in double quotes, for `If-Match`.',
  schema: { type: 'string', examples: ['"1"'] },
};

const ifMatchDoc: ParameterDoc = {
  name: 'if-match',
  in: 'header',
  description: 'The change is refused unless the current version is one of these entity tags; `*` matches any.',
  schema: { type: 'string', examples: ['"1"'] },
};

/** `If-Match` (RFC 9110, section 13.1.1). Weak tags never match; an invalid list matches nothing. */
function readIfMatch(request: Request): VersionGuard | undefined {
  const given = request.headersDistinct['if-match']?.join(', ').trim();
  if (given === undefined) return undefined;
  if (given === '*') return 'any';
  return entityTags(given).flatMap((tag) => (/^"(?:0|[1-9]\d{0,9})"$/.test(tag) ? [Number(tag.slice(1, -1))] : []));
}
