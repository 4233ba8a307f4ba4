import type { ExampleRequest } from '../../../src/rest/server/recorded-examples.ts';

/** Who asks; nobody is signed in as `guest`. */
export type Actor = 'owner' | 'member' | 'nora' | 'paul' | 'guest';

/**
 * One request of the story; the first one of an operation is its example. In its values `$name` is what a step before it
 * kept. A list is asked three times: by GET, by POST, and for its count.
 */
export interface Step extends ExampleRequest {
  operation: string;
  as: Actor;
  /** Names for what the answer has at these paths, such as `items.0.id`. */
  keep?: Record<string, string>;
  /** Reads the token of the newest of so many mails to an address, and keeps it as `$mailed`. */
  mail?: [address: string, count: number];
  /** Who can sign in from now on. */
  thenSignIn?: Actor & keyof typeof credentials;
  /** Waits until the webhook has tried to deliver something. */
  afterDelivery?: true;
}

/** The organization of the demo. */
const scope = { 'x-organization-id': '019b7739-16c4-713d-922e-37c3d4317409' };

export const credentials = {
  owner: { email: 'owner@demo.example', password: 'demo-events-2468' },
  member: { email: 'member@demo.example', password: 'demo-events-2468' },
  paul: { email: 'paul@demo.example', password: 'nine-rolls-in-a-basket' },
  nora: { email: 'nora@demo.example', password: 'eight-loaves-on-a-shelf' },
} satisfies Partial<Record<Actor, { email: string; password: string }>>;

const { nora, paul } = credentials;
const newPassword = 'seven-loaves-on-a-shelf';
const grace = 'grace@example.org';
const filter = { where: { name: 'bread', date_start: { $gte: '2031-01-01T00:00:00Z' } } };
const questions = [{ key: 'allergies', type: 'text', label: 'What can you not eat?', help: 'There will be cake.' }];
const answers = { answers: { allergies: 'Nuts' }, form_version: 1 };
const own = { fields: ['id', 'name', 'date_start'] };

/** In the organization of the demo. */
const byOwner = { as: 'owner', headers: scope } as const;

const accounts: Step[] = [
  { operation: 'login', as: 'owner', body: credentials.owner },
  { operation: 'refresh', as: 'owner' },
  { operation: 'getJsonWebKeySet', as: 'guest' },
  { operation: 'getProfile', as: 'owner', keep: { viewer: 'id' } },
  { operation: 'updateProfile', as: 'owner', body: { name: 'Olivia Owner' } },
  {
    ...{ operation: 'signUp', as: 'guest' },
    body: { email: nora.email, password: newPassword, name: 'Nora Newcomer', organization_name: 'Bread Society' },
  },
  { operation: 'requestEmailVerification', as: 'guest', body: { email: nora.email }, mail: [nora.email, 1] },
  { operation: 'verifyEmail', as: 'guest', body: { token: '$mailed' }, mail: [nora.email, 2] },
  { operation: 'requestPasswordReset', as: 'guest', body: { email: nora.email } },
  {
    ...{ operation: 'resetPassword', as: 'guest', mail: [nora.email, 3], thenSignIn: 'nora' },
    body: { token: '$mailed', password: nora.password },
  },
  {
    ...{ operation: 'listSessions', as: 'owner', keep: { session: 'items.0.id' } },
    query: { fields: ['id', 'ip', 'created_at', 'current'] },
  },
  { operation: 'endSession', as: 'owner', path: { session: '$session' } },
  { operation: 'endOtherSessions', as: 'owner' },
  { operation: 'exportPerson', as: 'nora' },
];

const second = { organization: '$second' };

const organizations: Step[] = [
  {
    operation: 'listOrganizations',
    as: 'nora',
    query: { fields: ['id', 'name', 'role'] },
    keep: { own: 'items.0.id' },
  },
  { operation: 'createOrganization', as: 'nora', body: { name: 'Cake Society' }, keep: { second: 'id' } },
  { operation: 'getOwnOrganization', as: 'nora', path: second },
  { operation: 'getWaitingMails', as: 'nora', path: second },
  { operation: 'exportOrganization', as: 'nora', path: second },
  { operation: 'deleteOrganization', as: 'nora', path: second, body: { name: 'Cake Society' } },
  {
    ...{ operation: 'deleteOrganizationByPost', as: 'nora' },
    ...{ path: { organization: '$own' }, body: { name: 'Bread Society' } },
  },
  { ...byOwner, operation: 'getOrganization' },
  {
    ...{ operation: 'changeOrganization', as: 'owner', headers: { ...scope, 'if-match': '"1"' } },
    body: { contact_email: 'hello@demo.example' },
  },
];

const people: Step[] = [
  {
    ...{ ...byOwner, operation: 'inviteMember', keep: { invitation: 'id' } },
    body: { email: paul.email, role: 'member' },
  },
  { ...byOwner, operation: 'getInvitation', path: { invitation: '$invitation' }, mail: [paul.email, 1] },
  {
    ...{ ...byOwner, operation: 'listInvitations' },
    query: { where: { role: 'member' }, fields: ['id', 'email', 'role', 'expires_at'] },
  },
  { operation: 'acceptInvitation', as: 'paul', body: { token: '$mailed' } },
  {
    ...{ ...byOwner, operation: 'listMembers', keep: { member: 'items.0.id' } },
    query: { where: { email: paul.email }, fields: ['id', 'role', 'created_at'], include: ['user'] },
  },
  { ...byOwner, operation: 'getMember', path: { member: '$member' } },
  { ...byOwner, operation: 'changeMemberRole', path: { member: '$member' }, body: { role: 'manager' } },
];

const keys: Step[] = [
  {
    ...{ ...byOwner, operation: 'createApiKey', keep: { key: 'id' } },
    body: { name: 'Ticket shop', role: 'manager', access: 'write' },
  },
  { ...byOwner, operation: 'getApiKey', path: { key: '$key' } },
  {
    ...{ ...byOwner, operation: 'listApiKeys' },
    query: { where: { role: 'manager' }, fields: ['id', 'name', 'prefix'] },
  },
  { ...byOwner, operation: 'updateApiKey', path: { key: '$key' }, body: { name: 'Box office' } },
  { ...byOwner, operation: 'deleteApiKey', path: { key: '$key' } },
];

const event = { event: '$event' };
const ofEvent = { ...byOwner, path: event } as const;

const events: Step[] = [
  {
    ...{ ...byOwner, operation: 'createEvent', keep: { event: 'id' } },
    body: {
      name: 'Bread Baking for Beginners',
      date_start: '2031-05-03T10:00:00+02:00',
      date_end: '2031-05-03T14:00:00+02:00',
      timezone: 'Europe/Berlin',
      location: 'The kitchen',
      capacity: 12,
    },
  },
  { ...ofEvent, operation: 'duplicateEvent', body: { date_start: '2031-06-07T10:00:00+02:00' }, keep: { copy: 'id' } },
  { ...ofEvent, operation: 'deleteEvent', path: { event: '$copy' } },
  {
    ...{ ...ofEvent, operation: 'updateEvent', headers: { ...scope, 'if-match': '"1"' } },
    body: { status: 1, visibility: 'public' },
  },
  { ...ofEvent, operation: 'getEvent' },
  { ...ofEvent, operation: 'setEventForm', body: { questions } },
  { ...ofEvent, operation: 'getEventForm' },
  { ...byOwner, operation: 'listEvents', query: { ...filter, ...own } },
  { ...byOwner, operation: 'exportEvents', query: { format: 'csv', ...filter, ...own } },
  { ...ofEvent, operation: 'getEventCalendar' },
];

const place = { ...event, subscription: '$subscription' };
const ofPlace = { ...byOwner, path: place } as const;
const accepted = { where: { status: 'accepted' }, fields: ['id', 'user_id', 'status'] };

const subscriptions: Step[] = [
  { ...ofEvent, operation: 'subscribe', as: 'paul', body: answers, keep: { subscription: 'id', paul: 'user_id' } },
  { ...ofPlace, operation: 'getSubscription' },
  { ...ofEvent, operation: 'listSubscriptions', query: accepted },
  { ...ofEvent, operation: 'exportSubscriptions', query: { format: 'csv', fields: ['status', 'created_at'] } },
  {
    ...{ ...byOwner, operation: 'listOrganizationSubscriptions' },
    query: { where: { event_id: '$event' }, fields: ['id', 'user_id', 'status'] },
  },
  {
    ...{ ...byOwner, operation: 'exportOrganizationSubscriptions' },
    query: { format: 'csv', where: { event_id: '$event' }, fields: ['id', 'status'] },
  },
  { ...ofPlace, operation: 'checkIn' },
  { ...ofPlace, operation: 'undoCheckIn' },
  { ...ofPlace, operation: 'updateSubscription', body: { status: 'cancelled', notify: false } },
  {
    ...{ ...ofEvent, operation: 'transitionSubscriptions' },
    body: { ids: ['$subscription', '01a20410-0000-7000-8000-000000000000'], status: 'accepted', notify: false },
  },
  {
    ...{ ...ofEvent, operation: 'subscribeUsers' },
    body: { items: [{ user_id: '$viewer' }, { user_id: '$paul' }], notify: false },
  },
  { ...ofPlace, operation: 'listSubscriptionChanges', query: { where: { status_to: 'accepted' } } },
  { operation: 'renewCalendar', as: 'paul', keep: { calendar: 'url' } },
  { operation: 'getCalendar', as: 'guest', path: { file: '$calendar' } },
  { operation: 'endCalendar', as: 'paul' },
  {
    ...{ ...byOwner, operation: 'listChanges' },
    query: { since: 'start', kinds: ['event'], limit: 1, include: ['object'] },
  },
  { ...byOwner, operation: 'queryChanges', body: { since: 'start', kinds: 'form' } },
];

const asGuest = { as: 'guest', headers: scope, path: event } as const;

const guests: Step[] = [
  { operation: 'listPublicEvents', as: 'guest', headers: scope, query: { ...filter, ...own } },
  { ...asGuest, operation: 'getPublicEvent' },
  { ...asGuest, operation: 'getPublicEventForm' },
  { operation: 'getPublicOrganization', as: 'guest', path: { slug: 'demo' } },
  { ...asGuest, operation: 'requestGuestSubscription', body: { name: 'Grace Guest', email: grace, ...answers } },
  { operation: 'confirmGuestSubscription', as: 'guest', body: { token: '$mailed' }, mail: [grace, 1] },
  { operation: 'lookUpSubscription', as: 'guest', body: { token: '$mailed' }, mail: [grace, 2] },
  {
    ...{ operation: 'changeOwnAnswers', as: 'guest' },
    body: { token: '$mailed', answers: { allergies: 'Nuts and milk' }, form_version: 1 },
  },
  { operation: 'cancelOwnSubscription', as: 'guest', body: { token: '$mailed' } },
  { operation: 'eraseGuest', as: 'guest', body: { token: '$mailed' } },
];

const webhook = { webhook: '$webhook' };
const ofWebhook = { ...byOwner, path: webhook } as const;

const webhooks: Step[] = [
  {
    ...{ ...byOwner, operation: 'createWebhook', keep: { webhook: 'id' } },
    body: { url: 'https://example.org/hooks', kinds: ['form'] },
  },
  { ...ofWebhook, operation: 'getWebhook' },
  {
    ...{ ...byOwner, operation: 'listWebhooks' },
    query: { where: { status: 'active' }, fields: ['id', 'url', 'status', 'pending'] },
  },
  { ...ofWebhook, operation: 'testWebhook' },
  { ...ofWebhook, operation: 'replayWebhook', body: { since: 'start' } },
  {
    ...{ ...ofWebhook, operation: 'listWebhookDeliveries', afterDelivery: true, keep: { delivery: 'items.0.id' } },
    query: { where: { status: 'succeeded' }, fields: ['id', 'status', 'attempt', 'http_status'] },
  },
  { ...ofWebhook, operation: 'retryWebhookDelivery', path: { ...webhook, delivery: '$delivery' } },
  { ...ofWebhook, operation: 'rotateWebhookSecret' },
  { ...ofWebhook, operation: 'updateWebhook', body: { status: 'paused' } },
  { ...ofWebhook, operation: 'deleteWebhook' },
];

const leaving: Step[] = [
  {
    ...{ ...byOwner, operation: 'listAuditEntries' },
    query: { where: { action: 'event.created' }, fields: ['id', 'action', 'actor_id', 'subject_id', 'created_at'] },
  },
  { ...byOwner, operation: 'removeMember', path: { member: '$member' } },
  {
    ...{ ...byOwner, operation: 'inviteMember', keep: { invitation: 'id' } },
    body: { email: grace, role: 'member' },
  },
  { ...byOwner, operation: 'revokeInvitation', path: { invitation: '$invitation' } },
  { operation: 'changePassword', as: 'nora', body: { current_password: nora.password, password: newPassword } },
  { operation: 'eraseViewer', as: 'nora', body: { password: newPassword } },
  { operation: 'eraseViewerByPost', as: 'paul', body: { password: paul.password } },
  { operation: 'logout', as: 'owner' },
];

export const story = [accounts, organizations, people, keys, events, subscriptions, guests, webhooks, leaving].flat();
