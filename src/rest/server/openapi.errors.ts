import { errorStatus } from '../../http/errors.ts';
import { type ErrorCode, errorTitle } from '../../kernel/errors.ts';
import { takesKey } from './idempotency.ts';
import { type HeaderDoc, isOfAccount, type Route } from './route.ts';

type Json = Record<string, unknown>;

const problem = {
  type: 'object',
  description: 'RFC 9457. Clients switch on `code`.',
  required: ['type', 'title', 'status', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'The address of a page about the code.' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorStatus) },
    request_id: { type: 'string' },
    errors: { type: 'array', items: { $ref: '#/components/schemas/Issue' } },
  },
};

/** `EventFull` for EVENT_FULL. */
const nameOf = (code: ErrorCode) => code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());

const schemaNameOf = (code: ErrorCode) => `${nameOf(code)}Problem`;

export const problemSchemas: Json = {
  Problem: problem,
  ...Object.fromEntries(
    (Object.keys(errorStatus) as ErrorCode[]).map((code) => [
      schemaNameOf(code),
      {
        description: errorTitle[code],
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          {
            type: 'object',
            required: ['status', 'code'],
            properties: { status: { const: errorStatus[code] }, code: { const: code } },
          },
        ],
      },
    ]),
  ),
};

function routeErrors(each: Route): ErrorCode[] {
  const implied: ErrorCode[] = [
    'VALIDATION_ERROR',
    'INVALID_QUERY',
    'METHOD_NOT_ALLOWED',
    'PAYLOAD_TOO_LARGE',
    'RATE_LIMITED',
    'INTERNAL_SERVER_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
  if (each.method !== 'get') implied.push('UNSUPPORTED_MEDIA_TYPE', 'INVALID_JSON');
  const isSignedIn = each.access === 'user' || each.access === 'organization';
  if (isSignedIn || isOfAccount(each)) implied.push('INVALID_TOKEN');
  if (each.access === 'public' || each.access === 'organization')
    implied.push('ORGANIZATION_REQUIRED', 'ORGANIZATION_FORBIDDEN');
  const isWrite = each.access !== 'public' && each.checked !== undefined;
  // forbidden to API keys
  if (each.role || isOfAccount(each) || isWrite) implied.push('FORBIDDEN');
  if (takesKey(each)) implied.push('CONFLICT', 'IDEMPOTENCY_MISMATCH');
  return [...new Set([...implied, ...each.errors])].sort((a, b) => errorStatus[a] - errorStatus[b] || (a < b ? -1 : 1));
}

/** Responses with one code are shared, and named after it. */
export function refusals(each: Route, shared: Json): Json {
  const byStatus = Map.groupBy(routeErrors(each), (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const [code, ...others] = codes as [ErrorCode, ...ErrorCode[]];
      if (others.length > 0) return [status, refusal(codes)];
      shared[nameOf(code)] ??= refusal(codes);
      return [status, { $ref: `#/components/responses/${nameOf(code)}` }];
    }),
  );
}

/** The codes that come with `Retry-After`; a conflict does if a request with the same key is still running. */
const passing: readonly ErrorCode[] = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'CONFLICT'];

const retryAfterDoc: HeaderDoc = {
  description: 'The seconds after which a retry may succeed; only if waiting helps.',
  schema: { type: 'integer', minimum: 1 },
};

/** Absent if the request was counted under no limit. */
export const budgetHeaders: Record<string, HeaderDoc> = {
  'RateLimit-Policy': {
    description: 'The limits that the request was counted under: how many (`q`) in how many seconds (`w`).',
    schema: { type: 'string', examples: ['"write";q=300;w=60'] },
  },
  RateLimit: {
    description: 'The remaining requests (`r`), and the seconds until the limit starts again (`t`).',
    schema: { type: 'string', examples: ['"write";r=299;t=60'] },
  },
};

export const budgetDocs = Object.fromEntries(
  Object.keys(budgetHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function refusal(codes: readonly ErrorCode[]): Json {
  const [first, ...rest] = codes.map((code) => ({ $ref: `#/components/schemas/${schemaNameOf(code)}` }));
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTitle[code]}`).join(' '),
    ...(codes.some((code) => passing.includes(code)) ? { headers: passingHeaders(codes) } : {}),
    content: { 'application/problem+json': { schema: rest.length === 0 ? first : { anyOf: [first, ...rest] } } },
  };
}

function passingHeaders(codes: readonly ErrorCode[]): Json {
  return { 'Retry-After': retryAfterDoc, ...(codes.includes('RATE_LIMITED') ? budgetDocs : {}) };
}
