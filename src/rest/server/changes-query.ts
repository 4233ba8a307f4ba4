import { type ChangeKind, changeKinds } from '../../domain/change/change.table.ts';
import { type ChangesInput, changeBeginnings, sortedKinds } from '../../domain/change/changes.ts';
import { faults, type Issue } from '../../kernel/errors.ts';
import { readBodyParameters } from './body-query.ts';
import { parseLimit, parseNames, parseToken } from './list-query.ts';
import { type ParameterDoc, queryDocs } from './route.ts';
import type { RawParameters } from './url-query.ts';

const parameters = ['token', 'since', 'kinds', 'limit', 'wait', 'include'] as const;

type Raw = RawParameters<(typeof parameters)[number]>;

/** In seconds. */
const longestWait = 30;

export interface ChangesQuery extends ChangesInput {
  /** Seconds to hold back an empty page. */
  wait: number;
  /** Whether each change has its object. */
  objects: boolean;
}

/** @throws INVALID_QUERY, INVALID_CURSOR */
export function readChangesUrl({ values, issues }: Raw): ChangesQuery {
  const wait = typeof values.wait === 'string' && /^\d{1,2}$/.test(values.wait) ? Number(values.wait) : values.wait;
  return parse({ values: { ...values, wait }, issues });
}

/** Those of a stream; `last`, of a resumed one, replaces `token` and `since`. @throws INVALID_QUERY, INVALID_CURSOR */
export function readStreamUrl({ values, issues }: Raw, [last = '']: readonly string[] = []): ChangesQuery {
  const { token, since, kinds } = values;
  if (last === '') return parse({ values: { token, since, kinds }, issues });
  return { ...parse({ values: { token: last, kinds }, issues }), pointer: '/last-event-id' };
}

/** @throws DomainError VALIDATION_ERROR, INVALID_QUERY, INVALID_CURSOR */
export function readChangesBody(body: unknown): ChangesQuery {
  return parse(readBodyParameters(body, parameters));
}

function parse({ values, issues: unread }: Raw): ChangesQuery {
  const issues = [...unread];
  const refuse = (name: string, detail: string) => issues.push({ pointer: `/${name}`, code: 'INVALID_QUERY', detail });
  const { since, wait = 0 } = values;
  const beginning = changeBeginnings.find((each) => each === since);
  if (since !== undefined && !beginning) refuse('since', '`since` is `start` or `now`.');
  if (since !== undefined && values.token !== undefined) refuse('since', '`since` and `token` exclude each other.');
  if (!Number.isInteger(wait) || (wait as number) < 0 || (wait as number) > longestWait) {
    refuse('wait', `\`wait\` is a whole number of seconds, from 0 to ${longestWait}.`);
  }
  if (typeof values.kinds === 'string' && values.kinds.trim() === '') refuse('kinds', 'Name at least one kind.');
  const kinds = parseNames(values.kinds, '/kinds', changeKinds, issues) as ChangeKind[] | undefined;
  const include = parseNames(values.include, '/include', ['object'], issues);
  if (issues.length > 0) throw faults('INVALID_QUERY', issues as Issue[]);
  return {
    token: parseToken(values.token),
    pointer: '/token',
    since: beginning ?? 'start',
    kinds: sortedKinds(kinds ?? changeKinds),
    size: parseLimit(values.limit),
    wait: wait as number,
    objects: include !== undefined,
  };
}

export const lastEventIdDoc: ParameterDoc = {
  name: 'last-event-id',
  in: 'header',
  description:
    'Of a stream, the `id` of the last event that was received; goes before `token` and `since`. Pages ignore it.',
  schema: { type: 'string' },
};

export const changesBodyDoc = {
  id: 'ChangesQuery',
  type: 'object',
  additionalProperties: false,
  properties: {
    token: { type: 'string', description: 'Cursor taken from `next`.' },
    since: { type: 'string', enum: [...changeBeginnings], description: 'Where to begin without `token`.' },
    kinds: { type: 'string', description: 'Names of the kinds to return, separated by a space; all if absent.' },
    limit: { type: 'integer', description: 'Items per page; 1 to 50, anything else is 50.' },
    wait: { type: 'integer', minimum: 0, maximum: longestWait, description: 'Seconds to hold back an empty page.' },
    include: { type: 'string', description: '`object`: each change has its object as it is now.' },
  },
} as const;

export const changesParameterDocs = queryDocs({
  token: { type: 'string', description: 'Opaque cursor taken from `next`; also one of the GraphQL field `changes`.' },
  since: {
    ...{ type: 'string', enum: [...changeBeginnings], default: 'start' },
    description:
      'Where to begin without `token`: `start` is the beginning of the log, `now` an empty page with a cursor to go on from.',
  },
  kinds: {
    type: 'string',
    description: `Kinds to return, separated by a space: ${changeKinds.map((kind) => `\`${kind}\``).join(', ')}. All if absent.`,
  },
  limit: { type: 'integer', default: 50, description: 'Items per page, 1 to 50; anything else counts as 50.' },
  wait: {
    ...{ type: 'integer', minimum: 0, maximum: longestWait, default: 0 },
    description: `Seconds for which an empty page is held back until there is something, 0 to ${longestWait}.`,
  },
  include: {
    type: 'string',
    description: '`object`: each change has its object as it is now. Streams ignore it.',
  },
});
