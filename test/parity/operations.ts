import type { OrganizationRole } from '../../src/kernel/request.ts';

/** One operation on both faces. `{id}` stands for an object that does not exist. */
export interface Operation {
  /** The REST operations that this is, by their ids. */
  ids: string[];
  /** The GraphQL mutation that this is; a list is a field of the organization. */
  mutation?: string;
  /** Nobody below may run it. */
  least: OrganizationRole;
  rest: { request: string; good?: unknown; bad?: unknown }[];
  /** A document with the variables `$id` and `$given`, and what `$given` is. */
  document: string;
  given?: { type: string; good: unknown; bad: unknown };
  /** Whether no API key may run it, whatever its role. */
  people?: true;
  /** Where the bad input is at fault, in the words of REST. */
  pointer?: string;
  /** What a good input gives. */
  outcome: string | null;
}

const where = (value: object) => encodeURIComponent(JSON.stringify(value));
const tooLong = 'x'.repeat(201);
const target = 'https://example.org/hook';
const dates = { date_start: '2027-05-01T10:00:00Z', date_end: '2027-05-01T12:00:00Z' };

function list(path: string, name: string, field: string, least: OrganizationRole, type: string): Operation {
  const bad = { id: 'nonsense' };
  return {
    ids: [`list${name}`, `query${name}`, `count${name}`],
    least,
    rest: [
      { request: `GET ${path}?where=${where(bad)}` },
      { request: `POST ${path}/query`, good: {}, bad: { where: bad } },
      { request: `GET ${path}/count?where=${where(bad)}` },
    ],
    document: `query ($given: ${type}) { organization { ${field}(where: $given) { totalCount nodes { id } } } }`,
    given: { type, good: null, bad: { id: { eq: 'nonsense' } } },
    pointer: '/where/id',
    outcome: null,
  };
}

/** Every operation that takes a role or changes something, but for those of {@link Operation} that need a viewer alone. */
export const operations: Operation[] = [
  list('/invitations', 'Invitations', 'invitations', 'manager', 'InvitationWhere'),
  list('/audit', 'AuditEntries', 'auditEntries', 'owner', 'AuditEntryWhere'),
  list('/api-keys', 'ApiKeys', 'apiKeys', 'owner', 'ApiKeyWhere'),
  list('/webhooks', 'Webhooks', 'webhooks', 'owner', 'WebhookWhere'),
  {
    ids: ['createWebhook'],
    mutation: 'createWebhook',
    least: 'owner',
    people: true,
    rest: [{ request: 'POST /webhooks', good: { url: target }, bad: { url: 'nonsense' } }],
    document: `mutation ($given: String!) { createWebhook(input: {url: $given}) { secret } }`,
    given: { type: 'String!', good: target, bad: 'nonsense' },
    pointer: '/url',
    outcome: null,
  },
  {
    ids: ['updateWebhook'],
    mutation: 'updateWebhook',
    least: 'owner',
    people: true,
    rest: [{ request: 'PATCH /webhooks/{id}', good: { url: target }, bad: { url: 'nonsense' } }],
    document: `mutation ($id: ID!, $given: String) { updateWebhook(input: {id: $id, url: $given}) { webhook { id } } }`,
    given: { type: 'String', good: target, bad: 'nonsense' },
    pointer: '/url',
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['deleteWebhook'],
    mutation: 'deleteWebhook',
    least: 'owner',
    people: true,
    rest: [{ request: 'DELETE /webhooks/{id}', good: undefined }],
    document: `mutation ($id: ID!) { deleteWebhook(input: {id: $id}) { deletedWebhookId } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['rotateWebhookSecret'],
    mutation: 'rotateWebhookSecret',
    least: 'owner',
    people: true,
    rest: [{ request: 'POST /webhooks/{id}/secret', good: {} }],
    document: `mutation ($id: ID!) { rotateWebhookSecret(input: {id: $id}) { secret } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['testWebhook'],
    mutation: 'testWebhook',
    least: 'owner',
    people: true,
    rest: [{ request: 'POST /webhooks/{id}/test', good: {} }],
    document: `mutation ($id: ID!) { testWebhook(input: {id: $id}) { delivered } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['replayWebhook'],
    mutation: 'replayWebhook',
    least: 'owner',
    people: true,
    rest: [{ request: 'POST /webhooks/{id}/replay', good: { since: 'start' }, bad: { since: 'nonsense' } }],
    document: `mutation ($id: ID!, $given: String!) { replayWebhook(input: {id: $id, since: $given}) { webhook { id } } }`,
    given: { type: 'String!', good: 'start', bad: 'nonsense' },
    pointer: '/since',
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['retryWebhookDelivery'],
    mutation: 'retryWebhookDelivery',
    least: 'owner',
    people: true,
    rest: [{ request: 'POST /webhooks/{id}/deliveries/{id}/retry', good: {} }],
    document: `mutation ($id: ID!) { retryWebhookDelivery(input: {id: $id}) { webhookDelivery { id } } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['createApiKey'],
    mutation: 'createApiKey',
    least: 'owner',
    people: true,
    rest: [{ request: 'POST /api-keys', good: { name: 'x', role: 'member' }, bad: { name: tooLong, role: 'member' } }],
    document: `mutation ($given: String!) { createApiKey(input: {name: $given, role: MEMBER}) { secret } }`,
    given: { type: 'String!', good: 'x', bad: tooLong },
    pointer: '/name',
    outcome: null,
  },
  {
    ids: ['updateApiKey'],
    mutation: 'updateApiKey',
    least: 'owner',
    people: true,
    rest: [{ request: 'PATCH /api-keys/{id}', good: { name: 'x' }, bad: { name: tooLong } }],
    document: `mutation ($id: ID!, $given: String) { updateApiKey(input: {id: $id, name: $given}) { apiKey { id } } }`,
    given: { type: 'String', good: 'x', bad: tooLong },
    pointer: '/name',
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['deleteApiKey'],
    mutation: 'deleteApiKey',
    least: 'owner',
    people: true,
    rest: [{ request: 'DELETE /api-keys/{id}', good: undefined }],
    document: `mutation ($id: ID!) { deleteApiKey(input: {id: $id}) { deletedApiKeyId } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['inviteMember'],
    mutation: 'inviteMember',
    least: 'manager',
    people: true,
    rest: [{ request: 'POST /invitations', bad: { email: 'nobody', role: 'member' } }],
    document: `mutation ($given: String!) { inviteMember(input: {email: $given, role: MEMBER}) { invitation { id } } }`,
    given: { type: 'String!', good: 'a@example.org', bad: 'nobody' },
    pointer: '/email',
    outcome: null,
  },
  {
    ids: ['revokeInvitation'],
    mutation: 'revokeInvitation',
    least: 'manager',
    people: true,
    rest: [{ request: 'DELETE /invitations/{id}', good: undefined }],
    document: `mutation ($id: ID!) { revokeInvitation(input: {id: $id}) { revokedInvitationId } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['changeMemberRole'],
    mutation: 'updateMemberRole',
    least: 'manager',
    people: true,
    rest: [{ request: 'PATCH /members/{id}', good: { role: 'member' } }],
    document: `mutation ($id: ID!) { updateMemberRole(input: {id: $id, role: MEMBER}) { membership { id } } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['removeMember'],
    mutation: 'removeMember',
    least: 'member',
    people: true,
    rest: [{ request: 'DELETE /members/{id}', good: undefined }],
    document: `mutation ($id: ID!) { removeMember(input: {id: $id}) { removedMembershipId } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['changeOrganization'],
    mutation: 'updateOrganization',
    least: 'owner',
    people: true,
    rest: [{ request: 'PATCH /organization', good: {}, bad: { name: tooLong } }],
    document: `mutation ($given: String) { updateOrganization(input: {name: $given}) { organization { id } } }`,
    given: { type: 'String', good: null, bad: tooLong },
    pointer: '/name',
    outcome: null,
  },
  {
    ids: ['createEvent'],
    mutation: 'createEvent',
    least: 'manager',
    rest: [{ request: 'POST /events', good: { name: 'x', ...dates }, bad: { name: tooLong, ...dates } }],
    document: `mutation ($given: String!) {
      createEvent(input: {name: $given, dateStart: "${dates.date_start}", dateEnd: "${dates.date_end}"}) { event { id } }
    }`,
    given: { type: 'String!', good: 'x', bad: tooLong },
    pointer: '/name',
    outcome: null,
  },
  {
    ids: ['updateEvent'],
    mutation: 'updateEvent',
    least: 'manager',
    rest: [{ request: 'PATCH /events/{id}', good: { name: 'x' }, bad: { name: tooLong } }],
    document: `mutation ($id: ID!, $given: String) { updateEvent(input: {id: $id, name: $given}) { event { id } } }`,
    given: { type: 'String', good: 'x', bad: tooLong },
    pointer: '/name',
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['deleteEvent'],
    mutation: 'deleteEvent',
    least: 'manager',
    rest: [{ request: 'DELETE /events/{id}', good: undefined }],
    document: `mutation ($id: ID!) { deleteEvent(input: {id: $id}) { deletedEventId } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['duplicateEvent'],
    mutation: 'duplicateEvent',
    least: 'manager',
    rest: [{ request: 'POST /events/{id}/duplicate', good: {}, bad: { name: tooLong } }],
    document: `mutation ($id: ID!, $given: String) { duplicateEvent(input: {id: $id, name: $given}) { event { id } } }`,
    given: { type: 'String', good: 'x', bad: tooLong },
    pointer: '/name',
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['setEventForm'],
    mutation: 'setEventForm',
    least: 'manager',
    rest: [{ request: 'PUT /events/{id}/form', good: { questions: [] }, bad: { questions: 'x' } }],
    document: `mutation ($id: ID!, $given: [EventQuestionInput!]!) {
      setEventForm(input: {eventId: $id, questions: $given}) { form { version } }
    }`,
    // a list of one is what GraphQL makes of a value
    given: {
      type: '[EventQuestionInput!]!',
      good: [],
      bad: Array.from({ length: 51 }, (_, n) => ({ key: `q${n}`, type: 'TEXT', label: 'Q' })),
    },
    pointer: '/questions',
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['subscribe'],
    mutation: 'subscribeToEvent',
    least: 'member',
    rest: [{ request: 'POST /events/{id}/subscriptions', good: {} }],
    document: `mutation ($id: ID!) { subscribeToEvent(input: {eventId: $id}) { eventSubscription { id } } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['updateSubscription'],
    mutation: 'updateEventSubscription',
    least: 'member',
    rest: [{ request: 'PATCH /events/{id}/subscriptions/{id}', good: { status: 'cancelled' } }],
    document: `mutation ($id: ID!) { updateEventSubscription(input: {id: $id, status: CANCELLED}) { event { id } } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['transitionSubscriptions'],
    mutation: 'updateEventSubscriptions',
    least: 'manager',
    rest: [
      {
        request: 'POST /events/{id}/subscriptions/transition',
        good: { ids: ['x'], status: 'accepted' },
        bad: { ids: [], status: 'accepted' },
      },
    ],
    document: `mutation ($given: [ID!]!) {
      updateEventSubscriptions(input: {ids: $given, status: ACCEPTED}) { errors { code } }
    }`,
    given: { type: '[ID!]!', good: ['x'], bad: [] },
    pointer: '/ids',
    // GraphQL names no event: what is not there is an entry of the payload
    outcome: null,
  },
  {
    ids: ['subscribeUsers'],
    mutation: 'subscribeUsersToEvent',
    least: 'manager',
    rest: [
      {
        request: 'POST /events/{id}/subscriptions/bulk',
        good: { items: [{ user_id: '019b7739-16c4-713d-922e-37c3d4317409' }] },
        bad: { items: [] },
      },
    ],
    document: `mutation ($id: ID!, $given: [EventSubscriptionItemInput!]!) {
      subscribeUsersToEvent(input: {eventId: $id, items: $given}) { errors { code } }
    }`,
    given: {
      type: '[EventSubscriptionItemInput!]!',
      good: [{ userId: '019b7739-16c4-713d-922e-37c3d4317409' }],
      bad: [],
    },
    pointer: '/items',
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['checkIn'],
    mutation: 'checkInEventSubscription',
    least: 'manager',
    rest: [{ request: 'POST /events/{id}/subscriptions/{id}/check-in', good: {} }],
    document: `mutation ($id: ID!) { checkInEventSubscription(input: {id: $id}) { event { id } } }`,
    outcome: 'NOT_FOUND',
  },
  {
    ids: ['undoCheckIn'],
    mutation: 'undoCheckIn',
    least: 'manager',
    rest: [{ request: 'DELETE /events/{id}/subscriptions/{id}/check-in', good: undefined }],
    document: `mutation ($id: ID!) { undoCheckIn(input: {id: $id}) { event { id } } }`,
    outcome: 'NOT_FOUND',
  },
];
