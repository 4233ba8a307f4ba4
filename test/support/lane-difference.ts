import { getOperationAST } from 'graphql';
import { Documents } from '../../src/schema/document.ts';
import { schema } from '../../src/schema/schema.ts';
import { type Body, type Lane, named, pairs, type WireAnswer, type WireRequest } from './lanes.ts';

/** What is different about the answer of a lane, with both sides; null where it is what it must be. */
export function differenceOf(lane: Lane, answer: WireAnswer, first: WireAnswer): string | null {
  if (lane.hashOf && !isFound(lane.hashOf, lane.request, first)) {
    const code = codeOf(answer);
    return code === 'PERSISTED_QUERY_NOT_FOUND' ? null : `what was not registered is ${code ?? 'answered'}`;
  }
  const [left, right] = [comparable(first), comparable(answer)];
  const part = (['status', 'body', 'headers'] as const).find((each) => left[each] !== right[each]);
  return part ? `another ${part}:\n${right[part]}\nand not:\n${left[part]}` : null;
}

/** All of an answer but its time and its id. The order of headers of different names, and their case, mean nothing. */
function comparable({ status, headers, body }: WireAnswer) {
  const fields = pairs(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const id = fields.find(([name]) => name === 'x-request-id')?.[1];
  const kept = fields.filter(([name]) => name !== 'date' && name !== 'x-request-id').map((each) => each.join(': '));
  // bytes, not characters: what is no UTF-8 must not look alike
  const bytes = body.toString('latin1');
  return {
    status: String(status),
    headers: kept.sort().join('\n'),
    body: id === undefined ? bytes : bytes.replaceAll(id, 'the id'),
  };
}

const documents = new Documents(schema);
/** Documents that are longer, in characters, are not registered. */
const maxRegistered = 10_000;

/** Whether the hash alone must be answered as the text is: it was registered, or is refused before it is looked up. */
function isFound({ query, operationName }: Body, { headers }: WireRequest, first: WireAnswer): boolean {
  const code = codeOf(first);
  if (code === 'PERSISTED_QUERY_ONLY') return true;
  if (named(headers).authorization === undefined) return false;
  if (code === 'INVALID_TOKEN') return true;
  if (code === 'ORGANIZATION_REQUIRED' || code === 'ORGANIZATION_FORBIDDEN') return false;
  const parsed = documents.find({ query, documentId: null });
  if (query.length > maxRegistered || 'fault' in parsed) return false;
  return getOperationAST(parsed.document, operationName) !== null && documents.faults(parsed.document).length === 0;
}

/** The code of an answer without data. */
function codeOf({ body }: WireAnswer): string | undefined {
  const { data, errors } = JSON.parse(body.toString());
  return data === undefined ? errors?.[0]?.extensions?.code : undefined;
}
