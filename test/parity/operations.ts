import type { OrganizationRole } from '../../src/kernel/request.ts';
import { mutationOf, toGraphql } from '../support/write-faces.ts';

type Input = 'good' | 'bad';

/** One operation on both faces. `{id}` stands for an object that does not exist. */
export interface Operation {
  /** The REST operations that this is, by their ids. */
  ids: string[];
  /** The GraphQL mutation that this is; a list is a field of the organization. */
  mutation?: string;
  /** Nobody below may run it. */
  least: OrganizationRole;
  rest: { request: string; good?: unknown; bad?: unknown }[];
  /** A document and its variables, for an input and the id of an object. */
  graphql(input: Input, id: string): [document: string, variables: Record<string, unknown>];
  /** Whether no API key may run it, whatever its role. */
  people?: boolean;
  /** Where the bad input is at fault, if there is one. */
  pointer?: string;
  /** What a good input gives. */
  outcome: string | null;
}

const where = (value: object) => encodeURIComponent(JSON.stringify(value));

function list(path: string, name: string, field: string, least: OrganizationRole, type: string): Operation {
  const bad = { id: 'nonsense' };
  const document = `query ($given: ${type}) { organization { ${field}(where: $given) { totalCount nodes { id } } } }`;
  return {
    ids: [`list${name}`, `query${name}`, `count${name}`],
    least,
    rest: [
      { request: `GET ${path}?where=${where(bad)}` },
      { request: `POST ${path}/query`, good: {}, bad: { where: bad } },
      { request: `GET ${path}/count?where=${where(bad)}` },
    ],
    graphql: (input) => [document, { given: input === 'good' ? null : { id: { eq: 'nonsense' } } }],
    pointer: '/where/id',
    outcome: null,
  };
}

interface Write {
  /** Its id in REST, where that is not the name of the mutation. */
  id?: string;
  /** A good input, in the names and values of REST. */
  good?: Record<string, unknown>;
  bad?: Record<string, unknown>;
  pointer?: string;
  /** The field of the input that names the object in GraphQL; null if nothing does. */
  target?: string | null;
  people?: boolean;
  /** `NOT_FOUND` unless it is another, or the request names no object. */
  outcome?: null;
}

function write(mutation: string, least: OrganizationRole, request: string, given: Write = {}): Operation {
  const { id = mutation, good = {}, bad, pointer, target = 'id', people = false } = given;
  const named = request.includes('{id}');
  return {
    ...{ ids: [id], mutation, least, people },
    rest: [{ request, good: request.startsWith('DELETE') ? undefined : good, bad }],
    graphql: (input, object) => {
      const fields = toGraphql((input === 'bad' ? bad : good) ?? {}, ['status', 'role', 'type']);
      return [
        mutationOf(mutation, 'clientMutationId'),
        { input: named && target !== null ? { ...fields, [target]: object } : fields },
      ];
    },
    ...(pointer === undefined ? {} : { pointer }),
    outcome: named && given.outcome !== null ? 'NOT_FOUND' : null,
  };
}

const people = true;
const url = { good: { url: 'https://example.org/hook' }, bad: { url: 'nonsense' }, pointer: '/url' };
const dates = { date_start: '2027-05-01T10:00:00Z', date_end: '2027-05-01T12:00:00Z' };
const tooLong = 'x'.repeat(201);
/** An input with a name that may be too long. */
const name = (others: Record<string, unknown> = {}) => ({
  ...{ good: { name: 'x', ...others }, bad: { name: tooLong, ...others }, pointer: '/name' },
});
const questions = Array.from({ length: 51 }, (_, n) => ({ key: `q${n}`, type: 'text', label: 'Q' }));
const item = { user_id: '019b7739-16c4-713d-922e-37c3d4317409' };
const webhook = '/webhooks/{id}';
const subscriptions = '/events/{id}/subscriptions';

/** Every operation that takes a role or changes something, but for those of {@link Operation} that need a viewer alone. */
export const operations: Operation[] = [
  list('/invitations', 'Invitations', 'invitations', 'manager', 'InvitationWhere'),
  list('/audit', 'AuditEntries', 'auditEntries', 'owner', 'AuditEntryWhere'),
  list('/api-keys', 'ApiKeys', 'apiKeys', 'owner', 'ApiKeyWhere'),
  list('/webhooks', 'Webhooks', 'webhooks', 'owner', 'WebhookWhere'),
  write('createWebhook', 'owner', 'POST /webhooks', { ...url, people }),
  write('updateWebhook', 'owner', `PATCH ${webhook}`, { ...url, people }),
  write('deleteWebhook', 'owner', `DELETE ${webhook}`, { people }),
  write('rotateWebhookSecret', 'owner', `POST ${webhook}/secret`, { people }),
  write('testWebhook', 'owner', `POST ${webhook}/test`, { people }),
  write('replayWebhook', 'owner', `POST ${webhook}/replay`, {
    ...{ good: { since: 'start' }, bad: { since: 'nonsense' }, pointer: '/since', people },
  }),
  write('retryWebhookDelivery', 'owner', `POST ${webhook}/deliveries/{id}/retry`, { people }),
  write('createApiKey', 'owner', 'POST /api-keys', { ...name({ role: 'member' }), people }),
  write('updateApiKey', 'owner', 'PATCH /api-keys/{id}', { ...name(), people }),
  write('deleteApiKey', 'owner', 'DELETE /api-keys/{id}', { people }),
  write('inviteMember', 'manager', 'POST /invitations', {
    ...{ good: { email: 'a@example.org', role: 'member' }, bad: { email: 'nobody', role: 'member' } },
    ...{ pointer: '/email', people },
  }),
  write('revokeInvitation', 'manager', 'DELETE /invitations/{id}', { people }),
  write('updateMemberRole', 'manager', 'PATCH /members/{id}', {
    ...{ id: 'changeMemberRole', good: { role: 'member' }, people },
  }),
  write('removeMember', 'member', 'DELETE /members/{id}', { people }),
  write('updateOrganization', 'owner', 'PATCH /organization', {
    ...{ ...name(), id: 'changeOrganization', good: {}, people },
  }),
  write('createEvent', 'manager', 'POST /events', name(dates)),
  write('updateEvent', 'manager', 'PATCH /events/{id}', name()),
  write('deleteEvent', 'manager', 'DELETE /events/{id}'),
  write('duplicateEvent', 'manager', 'POST /events/{id}/duplicate', name()),
  write('setEventForm', 'manager', 'PUT /events/{id}/form', {
    ...{ good: { questions: [] }, bad: { questions }, pointer: '/questions', target: 'eventId' },
  }),
  write('subscribeToEvent', 'member', `POST ${subscriptions}`, { id: 'subscribe', target: 'eventId' }),
  write('updateEventSubscription', 'member', `PATCH ${subscriptions}/{id}`, {
    ...{ id: 'updateSubscription', good: { status: 'cancelled' } },
  }),
  // GraphQL names no event: what is not there is an entry of the payload
  write('updateEventSubscriptions', 'manager', `POST ${subscriptions}/transition`, {
    ...{ id: 'transitionSubscriptions', target: null, outcome: null, pointer: '/ids' },
    ...{ good: { ids: ['x'], status: 'accepted' }, bad: { ids: [], status: 'accepted' } },
  }),
  write('subscribeUsersToEvent', 'manager', `POST ${subscriptions}/bulk`, {
    ...{ id: 'subscribeUsers', target: 'eventId', pointer: '/items', good: { items: [item] }, bad: { items: [] } },
  }),
  write('checkInEventSubscription', 'manager', `POST ${subscriptions}/{id}/check-in`, { id: 'checkIn' }),
  write('undoCheckIn', 'manager', `DELETE ${subscriptions}/{id}/check-in`),
];
