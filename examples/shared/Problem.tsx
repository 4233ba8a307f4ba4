import { apiErrorOf } from 'events-gateway-client';

/** What went wrong, in the words of the service, in whatever form the library has it. */
export function Problem({ error }: { error: { message: string } | null | undefined }) {
  return error && <p role="alert">{(apiErrorOf(error) ?? error).message}</p>;
}
