import { isUtf8 } from 'node:buffer';
import express, { type Request, type Response } from 'express';
import type { ZodError, ZodType } from 'zod';
import { DomainError, escapePointer, faults, type Issue } from '../domain/errors.ts';

/** 100 KiB (decisions §4). */
export const bodyLimit = 100 * 1024;

const parseJson = express.json({
  limit: bodyLimit,
  strict: false,
  inflate: false,
  type: 'application/json',
  verify: (_request, _response, bytes) => {
    // a plain error: the parser writes a status onto whatever is thrown here
    if (!isUtf8(bytes)) throw new Error('The body is not valid UTF-8.');
  },
});

/**
 * Reads the JSON body of a request; an absent or empty one reads as `{}`.
 *
 * @throws DomainError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON
 */
export async function readBody(request: Request, response: Response): Promise<unknown> {
  const length = request.headers['content-length'];
  const hasBody = request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
  if (!hasBody) return {};
  if (Number(length) > bodyLimit) throw new DomainError('PAYLOAD_TOO_LARGE');
  if (!request.is('application/json')) throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  const error = await new Promise<unknown>((resolve) => parseJson(request, response, resolve));
  if (error) throw bodyError(error);
  return request.body === undefined ? {} : request.body;
}

function bodyError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  switch ((error as { type?: string }).type) {
    case 'entity.too.large':
      return new DomainError('PAYLOAD_TOO_LARGE');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new DomainError('UNSUPPORTED_MEDIA_TYPE');
    case 'entity.parse.failed':
    case 'entity.verify.failed':
    case 'request.size.invalid':
    case 'request.aborted':
      return new DomainError('INVALID_JSON');
    default:
      return error;
  }
}

/**
 * Checks a body against its schema; every issue is reported with the pointer of its field.
 *
 * @throws DomainError VALIDATION_ERROR
 */
export function validateBody<T>(schema: ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw faults('VALIDATION_ERROR', validationIssues(result.error));
}

function validationIssues(error: ZodError): Issue[] {
  return error.issues.flatMap((issue) => {
    const base = issue.path.map((segment) => `/${escapePointer(String(segment))}`).join('');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        pointer: `${base}/${escapePointer(key)}`,
        code: 'VALIDATION_ERROR' as const,
        detail: 'This field is not documented.',
      }));
    }
    const code =
      issue.code === 'custom' && issue.params?.code === 'WEAK_PASSWORD' ? 'WEAK_PASSWORD' : 'VALIDATION_ERROR';
    return [{ pointer: base, code, detail: issue.message }];
  });
}
