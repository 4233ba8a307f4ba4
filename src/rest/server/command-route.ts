import type { Request } from 'express';
import type { ZodType } from 'zod';
import { type Command, type CommandContexts, execute, noFields } from '../../engine/command.ts';
import type { VersionGuard } from '../../engine/version-guard.ts';
import type { Route } from './route.ts';

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
  readDelete?(body: unknown, request: Request): unknown;
  /** Reads the versions that the client expects. */
  guard?(request: Request): VersionGuard | undefined;
  /** The path of the created object; the status is then 201. */
  created?(result: Result): string;
  response: ZodType;
  answer(ctx: CommandContexts[Access], result: Result): unknown;
  /** Additional headers of the response. */
  answerHeaders?(result: Result): Record<string, string>;
}

/** Declares the route of a command. */
export function commandRoute<Access extends keyof CommandContexts, Input, Result>({
  command,
  object,
  within,
  readDelete,
  guard,
  created,
  answer,
  answerHeaders,
  ...described
}: CommandRoute<Access, Input, Result>): Route {
  const ignoresBody = described.method === 'delete' && readDelete === undefined;
  return {
    ...described,
    access: command.access,
    ...(command.role ? { role: command.role } : {}),
    ...(command.input === noFields || ignoresBody ? {} : { body: command.input }),
    errors: [...command.errors, 'RATE_LIMITED'],
    checked: 'by its command',
    runs: { command, object },
    ...(created ? { created: true } : {}),
    async handle({ ctx, params, body, request, response }) {
      const id = object === undefined ? '' : (params[object] ?? '');
      const call = { id, within: within && params[within], guard: guard?.(request) };
      const sent = ignoresBody ? {} : readDelete ? readDelete(body, request) : body;
      const result = await execute(command, ctx, sent, call);
      if (created) response.status(201).set('location', created(result));
      if (answerHeaders) response.set(answerHeaders(result));
      // execute has checked that the context has what the command needs
      return await answer(ctx as CommandContexts[Access], result);
    },
  };
}
