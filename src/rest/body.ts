import { isUtf8 } from 'node:buffer';
import express, { type Request, type Response } from 'express';
import { DomainError } from '../domain/errors.ts';

/** 100 KiB (decisions §4). */
export const bodyLimit = 100 * 1024;

const readBytes = express.raw({ limit: bodyLimit, inflate: false, type: () => true });

/**
 * Reads the JSON body of a request; an absent or empty one reads as `{}`.
 *
 * @throws DomainError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON
 */
export async function readBody(request: Request, response: Response): Promise<unknown> {
  if (Number(request.headers['content-length']) > bodyLimit) throw new DomainError('PAYLOAD_TOO_LARGE');
  const error = await new Promise<unknown>((resolve) => readBytes(request, response, resolve));
  if (error) throw bodyError(error);
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return {};
  if (!isJson(request)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  if (!isUtf8(bytes)) throw new DomainError('INVALID_JSON', { detail: 'The body is not valid UTF-8.' });
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new DomainError('INVALID_JSON');
  }
}

/** `application/json`, in UTF-8 as JSON always is between systems (RFC 8259, section 8.1). */
function isJson(request: Request): boolean {
  if (!request.is('application/json')) return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  return charset === undefined || charset.toLowerCase() === 'utf-8';
}

function bodyError(error: unknown): unknown {
  switch ((error as { type?: string }).type) {
    case 'entity.too.large':
      return new DomainError('PAYLOAD_TOO_LARGE');
    case 'encoding.unsupported':
      return new DomainError('UNSUPPORTED_MEDIA_TYPE');
    case 'request.size.invalid':
    case 'request.aborted':
      return new DomainError('INVALID_JSON');
    default:
      return error;
  }
}
