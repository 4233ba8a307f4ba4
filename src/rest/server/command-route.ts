import type { Request } from 'express';
import type { ZodType } from 'zod';
import { type Command, type CommandContexts, execute, noFields } from '../../engine/command.ts';
import type { VersionGuard } from '../../engine/version-guard.ts';
import { entityTags } from '../../http/entity-tags.ts';
import { done, type HeaderDoc, type ParameterDoc, type Route } from './route.ts';
import type { RawParameters } from './url-query.ts';

/** The path and the response of a command; access, input and errors come from the command. */
interface CommandRoute<Access extends keyof CommandContexts, Input, Result>
  extends Pick<Route, 'path' | 'operationId' | 'summary' | 'tag' | 'headers' | 'parameters' | 'largeBody'> {
  method: 'post' | 'patch' | 'put' | 'delete';
  command: Command<Access, Input, Result>;
  /** The path parameter with the object's id. */
  object?: string;
  /** The path parameter with the id of the object's parent. */
  within?: string;
  /** Reads the input of a DELETE, whose body is ignored if this is absent. */
  readDelete?(body: unknown, query: RawParameters<string>): unknown;
  /** Whether `If-Match` guards the object's version. */
  versioned?: boolean;
  /** The path of the created object; the status is then 201. */
  created?(result: Result): string;
  /** Absent if there is nothing to say: the answer is then `true`. */
  response?: ZodType;
  answer?(ctx: CommandContexts[Access], result: Result): unknown;
  /** Additional headers of the response. */
  answerHeaders?(result: Result): Record<string, string>;
}

/** Declares the route of a command. */
export function commandRoute<Access extends keyof CommandContexts, Input, Result>({
  command,
  object,
  within,
  readDelete,
  versioned,
  created,
  response: schema = done,
  answer = () => true,
  answerHeaders,
  ...described
}: CommandRoute<Access, Input, Result>): Route {
  const ignoresBody = described.method === 'delete' && readDelete === undefined;
  return {
    ...described,
    response: schema,
    access: command.access,
    ...(command.role ? { role: command.role } : {}),
    ...(command.input === noFields || ignoresBody ? {} : { body: command.input }),
    errors: [...command.errors, 'RATE_LIMITED'],
    checked: 'by its command',
    runs: { command, object },
    ...(versioned ? { parameters: [...(described.parameters ?? []), ifMatchDoc] } : {}),
    ...(created ? { created: true } : {}),
    async handle({ ctx, params, query, body, request, response }) {
      const id = object === undefined ? '' : (params[object] ?? '');
      const call = { id, within: within && params[within], guard: versioned ? readIfMatch(request) : undefined };
      const sent = ignoresBody ? {} : readDelete ? readDelete(body, query) : body;
      const result = await execute(command, ctx, sent, call);
      if (created) response.status(201).set('location', created(result));
      if (answerHeaders) response.set(answerHeaders(result));
      // execute has checked that the context has what the command needs
      return await answer(ctx as CommandContexts[Access], result);
    },
  };
}

/** The strong entity tag of a version (RFC 9110, section 8.8.3). */
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

/**
 * The versions in `If-Match` (RFC 9110, section 13.1.1). Weak tags never match; an invalid list of tags matches nothing.
 */
function readIfMatch(request: Request): VersionGuard | undefined {
  const given = request.headersDistinct['if-match']?.join(', ').trim();
  if (given === undefined) return undefined;
  if (given === '*') return 'any';
  return entityTags(given).flatMap((tag) => (/^"(?:0|[1-9]\d{0,9})"$/.test(tag) ? [Number(tag.slice(1, -1))] : []));
}
