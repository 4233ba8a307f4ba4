import type { Request, Response } from 'express';
import { DomainError } from '../kernel/errors.ts';

/** @param methods the value of `Allow` */
export function onlyAllows(methods: string) {
  return (_request: Request, response: Response): void => {
    response.set('allow', methods);
    throw new DomainError('METHOD_NOT_ALLOWED');
  };
}
