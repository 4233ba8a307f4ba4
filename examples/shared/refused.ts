import { ApiError, type Issue } from 'events-gateway-client';

/** Why a write was refused. */
export interface Refused {
  message: string;
  /** What is wrong in the input, each with a pointer to its place. */
  issues: readonly Pick<Issue, 'pointer' | 'detail'>[];
}

interface GraphqlError {
  message: string;
  extensions?: { errors?: Refused['issues'] };
}

/** @param errors those of the answer, if the error of the library has them; the client package's has the issues itself */
export function refusedBy(error: Error, errors: readonly GraphqlError[] = []): Refused {
  const issues =
    error instanceof ApiError ? error.issues : errors.flatMap(({ extensions }) => extensions?.errors ?? []);
  return { message: errors[0]?.message ?? error.message, issues };
}
