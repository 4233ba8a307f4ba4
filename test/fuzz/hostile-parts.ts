import fc from 'fast-check';
import { nastyBodies, nastyForms, nastyTexts, nastyValues } from '../support/nasty.ts';
import { anyReference } from './references.ts';
import { oddTexts } from './values.ts';

// What requests are made of that no client means.

const parameterNames = [
  'where',
  'limit',
  'token',
  'sort',
  'fields',
  'include',
  'max',
  'from',
  'version',
  'format',
  'since',
];
export const json = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('{"$or":[{"status":1}]}', '{"id":{"$in":[]}}', '{"status":1e999}'),
);
const odd = fc.oneof(oddTexts, json, anyReference, fc.constantFrom(...Object.values(nastyTexts(300))));
export const query = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...parameterNames), oddTexts), odd), { maxLength: 4 });

/** Bytes that a header may have: anything but the ends of lines and NUL. */
const headerText = fc.oneof(
  fc.constantFrom(
    '"1"',
    '*',
    'W/"1"',
    'a'.repeat(255),
    'a'.repeat(300),
    '\xff\xfe',
    '',
    '0',
    'bytes=0-',
    'gzip',
    '"1", "2"',
    'text/csv',
  ),
  fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
    maxLength: 40,
  }),
);
const headerNames = [
  ...['accept', 'accept-language', 'accept-encoding', 'if-match', 'if-none-match', 'if-modified-since'],
  ...['idempotency-key', 'range'],
  ...['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'origin', 'referer', 'cookie', 'traceparent'],
  ...['x-request-id', 'user-agent'],
  ...['content-encoding', 'content-language', 'x-http-method-override', 'last-event-id', 'prefer', 'via'],
  ...['sec-fetch-site'],
];
export const headers = fc.array(fc.tuple(fc.constantFrom(...headerNames), headerText), { maxLength: 3 });

const fieldNames = [
  ...['name', 'slug', 'status', 'date_start', 'date_end', 'capacity', 'ids', 'user_id', 'answers', 'questions'],
  ...['email', 'role', 'token'],
  ...['where', 'limit', 'fields', 'url', 'kinds', 'since', 'password', '__proto__', 'constructor', 'toString', 'id'],
  ...['form_version'],
];
export const fieldValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  oddTexts,
  anyReference,
  fc.constantFrom(1e300, -0, 9_007_199_254_740_992),
);
const object = fc
  .dictionary(fc.constantFrom(...fieldNames), fieldValue, { maxKeys: 5 })
  .map((each) => JSON.stringify(each));
const nasty = fc.constantFrom(
  ...Object.values(nastyBodies(2_000)),
  ...Object.values(nastyValues(2_000)).map((each) => JSON.stringify(each)),
  ...Object.values(nastyForms(2_000)),
);
export const types = [
  'application/json',
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  '',
];
const otherTypes = [
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/problem+json',
  '\xff',
];
export const body = fc.record({
  type: fc.constantFrom(...types, ...types, ...otherTypes),
  text: fc.oneof(
    { weight: 4, arbitrary: object },
    { weight: 2, arbitrary: json },
    { weight: 1, arbitrary: nasty },
    { weight: 1, arbitrary: oddTexts },
  ),
});
