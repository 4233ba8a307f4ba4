import type { GraphqlErrorCode } from '../../http/errors.ts';
import type { DomainErrorOptions, ErrorCode } from '../../kernel/errors.ts';

/** What a client developer needs to know about a code (reference/errors.md#pages). */
export interface ErrorGuide {
  when: string;
  remedy: string;
  /** Whether the same request can succeed later; by default only after a change. */
  retry?: string;
  /** The API that has it, if only one does. */
  only?: 'REST' | 'GraphQL';
  example?: DomainErrorOptions;
  /** Details of the example in GraphQL, if they differ. */
  graphqlExample?: DomainErrorOptions;
  /** The code of the example, if this one is only in its `errors`. */
  under?: ErrorCode;
}

const later =
  'Yes, after as many seconds as `Retry-After` says (in GraphQL: `extensions.retry_after`), plus a random delay.';
const otherState = 'Only after something else has changed: read the object again and decide afresh.';

const otherList = 'The cursor does not belong to this list with this filter and order.';

const badMailedToken: Pick<ErrorGuide, 'when' | 'retry'> = {
  when: 'The token of the link is unknown, was used, has expired, or was replaced by that of a newer mail.',
  retry: 'No. A token works once.',
};

/** By code, so that the compiler reports missing guides. */
export const errorGuides: Record<GraphqlErrorCode, ErrorGuide> = {
  INVALID_CREDENTIALS: {
    when: 'Sign-in with an unknown address or a wrong password; the answer is the same for both, and takes the same time.',
    remedy: 'Ask for the password again, and offer to set a new one.',
    retry: 'No. Failures are counted, and too many of them are 429.',
  },
  INVALID_QUERY: {
    when: 'A query parameter is unknown or not valid, or the request asks for too much.',
    remedy: 'Each entry of `errors` points to a mistake and says what is allowed.',
    example: fault('INVALID_QUERY', '/where/nam', 'Unknown field; did you mean `name`?'),
  },
  INVALID_CURSOR: {
    when: 'The cursor was changed, belongs to another list, filter or order, or was sealed with a secret that is no longer in use.',
    remedy:
      'Send cursors back as they were received, with the same filter and order. Otherwise begin at the first page; of changes, take a new cursor, then read the lists.',
    example: fault('INVALID_CURSOR', '/token', otherList),
    graphqlExample: fault('INVALID_CURSOR', '/after', otherList),
  },
  INVALID_JSON: {
    when: 'The body is not JSON in UTF-8, or a parameter that contains JSON is not.',
    remedy: 'Let a library write the JSON, and send it as `application/json`.',
  },
  VALIDATION_ERROR: {
    when: 'A field is missing, unknown or wrong. Nothing was changed. A malformed HTTP message gets it too.',
    remedy: 'Show each entry of `errors` next to the field that its `pointer` (RFC 6901) names.',
    example: fault('VALIDATION_ERROR', '/name', 'Must not be empty.'),
  },
  WEAK_PASSWORD: {
    when: 'A new password is common, too short, or similar to the address. It is never the code of a response, only of an entry of its `errors`.',
    remedy: 'Show `detail` next to the field, and let the person choose another password.',
    under: 'VALIDATION_ERROR',
    example: fault('WEAK_PASSWORD', '/password', 'This is a common password.'),
  },
  ORGANIZATION_REQUIRED: {
    when: 'The header `x-organization-id` is missing, is not a UUID, or is sent twice.',
    remedy: 'Send one id from `organizations` of `GET /auth/me`. A request with an API key may leave the header out.',
  },
  INVALID_RESET_TOKEN: { ...badMailedToken, remedy: 'Request a new mail to set the password.', only: 'REST' },
  INVALID_VERIFICATION_TOKEN: { ...badMailedToken, remedy: 'Request a new mail to verify the address.', only: 'REST' },
  INVALID_INVITATION_TOKEN: { ...badMailedToken, remedy: 'Ask the sender of the invitation for a new one.' },
  INVALID_TOKEN: {
    when: 'The access token is missing, has expired, or its session has ended; the API key is unknown or was revoked; or the refresh token is no longer valid.',
    remedy:
      'Renew the access token once by `POST /auth/refresh`, and repeat the request. If renewing gets this code as well, sign in again. A revoked API key needs a new key.',
    retry: 'Once, with a new access token.',
  },
  TOKEN_NOT_FOUND: {
    when: 'A refresh without the signed cookie: nobody is signed in here, or the browser did not send it.',
    remedy: 'Sign in. In a browser, send requests with `credentials: "include"`, from the same site as the service.',
    only: 'REST',
  },
  USER_NOT_VERIFIED: {
    when: 'Sign-in with the right password, before the address of the account is verified.',
    remedy: 'Ask the person to follow the link in the mail, or request a new one by `POST /auth/verify-email-request`.',
    retry: 'After the address is verified.',
    only: 'REST',
  },
  FORBIDDEN: {
    when: 'The role in the organization, or the access of the API key, is not enough for this.',
    remedy:
      'Hide what the role cannot do: `GET /auth/me` shows the role in each organization, and `GET /organization` that of an API key.',
  },
  ORGANIZATION_FORBIDDEN: {
    when: 'The organization does not exist, or the viewer is not a member; the answer is the same for both.',
    remedy: 'Read the organizations of the viewer again (`GET /auth/me`) and let the person choose.',
  },
  CROSS_SITE: {
    when: 'A page of another site caused a request that uses the cookie, or that a browser sends without asking.',
    remedy:
      'Call the service from its own site, or have its operator name your origin in `CORS_ORIGINS`. For a query by GET, send a header that needs a preflight.',
  },
  NOT_FOUND: {
    when: 'It does not exist, was deleted, or may not be seen; the answer is the same for all three.',
    remedy: 'Check the path, the id and the organization. In GraphQL, reads return null instead.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path exists, but not with this method; in GraphQL, a mutation was sent by GET.',
    remedy: 'The header `Allow` names the methods.',
  },
  CONFLICT: {
    when: 'The request conflicts with the current state. `detail` and the pointers say how.',
    remedy: 'Read the object again and show the current values.',
    retry: otherState,
    example: { detail: 'An organization must have an owner.' },
  },
  INVALID_TRANSITION: {
    when: 'An event or subscription cannot go from its status to this one.',
    remedy: 'Offer only the changes of status that are possible.',
    retry: otherState,
    example: fault('INVALID_TRANSITION', '/status', 'A cancelled event cannot become a draft.'),
  },
  EVENT_FULL: {
    when: 'All places are taken, and the event has no waiting list.',
    remedy: 'Tell the person. A place may become free later: the `availability` of the event says so.',
    retry: otherState,
  },
  REGISTRATION_CLOSED: {
    when: 'The event is not active, is over, or its registration is closed.',
    remedy: 'Tell the person. To know in advance, read the `availability` of the event.',
    retry: otherState,
  },
  SUBSCRIPTION_DECLINED: {
    when: 'A manager has declined this person for the event.',
    remedy: 'Tell the person. Only a manager can change it.',
    retry: otherState,
  },
  ALREADY_SUBSCRIBED: {
    when: 'The person already has a live subscription to the event.',
    remedy: 'Show that subscription. To repeat a request safely, send it with an `Idempotency-Key`.',
    retry: otherState,
  },
  ALREADY_CHECKED_IN: {
    when: 'The subscription was checked in before; `detail` names the time.',
    remedy: 'Show the time: somebody may be using a copy of the ticket.',
    retry: otherState,
    example: { detail: 'Checked in at 2031-05-03T07:52:10.000Z.' },
  },
  CURSOR_EXPIRED: {
    when: 'The cursor of a change log is too old, was issued for another view, or is from before a restore.',
    remedy: 'Start over with `since=now`, then read the lists again.',
    retry: 'No. Start over.',
    example: { detail: 'These changes are no longer kept. Begin with `since=now`, then read the lists.' },
  },
  PRECONDITION_FAILED: {
    when: 'The object has changed since it was read: `If-Match` (in GraphQL: `ifVersion`) names another version.',
    remedy: 'Read it again, show both versions, and send the change with the new version.',
    retry: 'With the new version.',
    example: { detail: 'The current version is 3.' },
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body is larger than 100 KiB (1 MiB with a form or answers), or has too many values.',
    remedy: 'Send less at a time.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not `application/json` in UTF-8, or it is compressed.',
    remedy: 'Send `content-type: application/json`, uncompressed.',
  },
  IDEMPOTENCY_MISMATCH: {
    when: 'The `Idempotency-Key` was used for another request.',
    remedy: 'Use a new key for each write, and the same key only to repeat the same bytes.',
    retry: 'With a new key.',
  },
  RATE_LIMITED: {
    when: 'This client, network, account or organization has sent too many requests.',
    remedy: 'Wait. Send less at a time, and prefer the log of changes to polling lists.',
    retry: later,
    example: { detail: 'At most 300 writes of one user a minute.', retryAfter: 7 },
  },
  INTERNAL_SERVER_ERROR: {
    when: 'Something failed that should not have. The log of the service has it under `request_id`.',
    remedy: 'Report it with the `request_id`.',
    retry: 'Reads can. Writes only with their `Idempotency-Key`.',
  },
  SERVICE_UNAVAILABLE: {
    when: 'The service is overloaded or stopping, or its database is not available.',
    remedy: 'Wait and repeat; writes with the same `Idempotency-Key`.',
    retry: later,
    example: { retryAfter: 2 },
  },
  GRAPHQL_PARSE_FAILED: {
    when: 'The document is not GraphQL.',
    remedy: 'The message and `locations` say where. Let a client library write the document.',
    only: 'GraphQL',
  },
  GRAPHQL_VALIDATION_FAILED: {
    when: 'The document or its variables do not fit the schema. A required input field that the variables lack is `VALIDATION_ERROR`.',
    remedy: 'Check documents against `schema.graphql` when you build. Pass values as variables.',
    only: 'GraphQL',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    when: 'The service does not know a document with this hash, or has forgotten it.',
    remedy: 'Repeat the request with hash and `query`. Clients with persisted queries do so themselves.',
    retry: 'Once, with the document.',
    only: 'GraphQL',
  },
  PERSISTED_QUERY_ONLY: {
    when: 'The service accepts only documents that its operator registered.',
    remedy: 'Ask the operator to add the document to `TRUSTED_DOCUMENTS`.',
    only: 'GraphQL',
  },
};

function fault(code: ErrorCode, pointer: string, detail: string): DomainErrorOptions {
  return { detail, issues: [{ pointer, code, detail }] };
}
