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

/** A step of somebody; what all their steps have may be another in one of them. */
const by =
  (as: Actor, shared: Partial<Step> = {}) =>
  (operation: string, step: Partial<Step> = {}): Step => ({ operation, as, ...shared, ...step });
const [asOwner, asNora, asPaul, asGuest] = [by('owner'), by('nora'), by('paul'), by('guest')];
const inDemo = by('owner', { headers: scope });

const accounts = [
  asOwner('login', { body: credentials.owner }),
  asOwner('refresh'),
  asGuest('getJsonWebKeySet'),
  asOwner('getProfile', { keep: { viewer: 'id' } }),
  asOwner('updateProfile', { body: { name: 'Olivia Owner' } }),
  asGuest('signUp', {
    body: { email: nora.email, password: newPassword, name: 'Nora Newcomer', organization_name: 'Bread Society' },
  }),
  asGuest('requestEmailVerification', { body: { email: nora.email }, mail: [nora.email, 1] }),
  asGuest('verifyEmail', { body: { token: '$mailed' }, mail: [nora.email, 2] }),
  asGuest('requestPasswordReset', { body: { email: nora.email } }),
  asGuest('resetPassword', {
    mail: [nora.email, 3],
    thenSignIn: 'nora',
    body: { token: '$mailed', password: nora.password },
  }),
  asOwner('listSessions', {
    keep: { session: 'items.0.id' },
    query: { fields: ['id', 'ip', 'created_at', 'current'] },
  }),
  asOwner('endSession', { path: { session: '$session' } }),
  asOwner('endOtherSessions'),
  asNora('exportPerson'),
];

const second = { organization: '$second' };

const organizations = [
  asNora('listOrganizations', { query: { fields: ['id', 'name', 'role'] }, keep: { own: 'items.0.id' } }),
  asNora('createOrganization', { body: { name: 'Cake Society' }, keep: { second: 'id' } }),
  asNora('getOwnOrganization', { path: second }),
  asNora('getWaitingMails', { path: second }),
  asNora('exportOrganization', { path: second }),
  asNora('deleteOrganization', { path: second, body: { name: 'Cake Society' } }),
  asNora('deleteOrganizationByPost', { path: { organization: '$own' }, body: { name: 'Bread Society' } }),
  inDemo('getOrganization'),
  asOwner('changeOrganization', {
    headers: { ...scope, 'if-match': '"1"' },
    body: { contact_email: 'hello@demo.example' },
  }),
];

const people = [
  inDemo('inviteMember', { keep: { invitation: 'id' }, body: { email: paul.email, role: 'member' } }),
  inDemo('getInvitation', { path: { invitation: '$invitation' }, mail: [paul.email, 1] }),
  inDemo('listInvitations', { query: { where: { role: 'member' }, fields: ['id', 'email', 'role', 'expires_at'] } }),
  asPaul('acceptInvitation', { body: { token: '$mailed' } }),
  inDemo('listMembers', {
    keep: { member: 'items.0.id' },
    query: { where: { email: paul.email }, fields: ['id', 'role', 'created_at'], include: ['user'] },
  }),
  inDemo('getMember', { path: { member: '$member' } }),
  inDemo('changeMemberRole', { path: { member: '$member' }, body: { role: 'manager' } }),
];

const keys = [
  inDemo('createApiKey', { keep: { key: 'id' }, body: { name: 'Ticket shop', role: 'manager', access: 'write' } }),
  inDemo('getApiKey', { path: { key: '$key' } }),
  inDemo('listApiKeys', { query: { where: { role: 'manager' }, fields: ['id', 'name', 'prefix'] } }),
  inDemo('updateApiKey', { path: { key: '$key' }, body: { name: 'Box office' } }),
  inDemo('deleteApiKey', { path: { key: '$key' } }),
];

const event = { event: '$event' };
const onEvent = by('owner', { headers: scope, path: event });

const events = [
  inDemo('createEvent', {
    keep: { event: 'id' },
    body: {
      name: 'Bread Baking for Beginners',
      date_start: '2031-05-03T10:00:00+02:00',
      date_end: '2031-05-03T14:00:00+02:00',
      timezone: 'Europe/Berlin',
      location: 'The kitchen',
      capacity: 12,
    },
  }),
  onEvent('duplicateEvent', { body: { date_start: '2031-06-07T10:00:00+02:00' }, keep: { copy: 'id' } }),
  onEvent('deleteEvent', { path: { event: '$copy' } }),
  onEvent('updateEvent', { headers: { ...scope, 'if-match': '"1"' }, body: { status: 1, visibility: 'public' } }),
  onEvent('getEvent'),
  onEvent('setEventForm', { body: { questions } }),
  onEvent('getEventForm'),
  inDemo('listEvents', { query: { ...filter, ...own } }),
  inDemo('exportEvents', { query: { format: 'csv', ...filter, ...own } }),
  onEvent('getEventCalendar'),
];

const place = { ...event, subscription: '$subscription' };
const onPlace = by('owner', { headers: scope, path: place });
const accepted = { where: { status: 'accepted' }, fields: ['id', 'user_id', 'status'] };

const subscriptions = [
  onEvent('subscribe', { as: 'paul', body: answers, keep: { subscription: 'id', paul: 'user_id' } }),
  onPlace('getSubscription'),
  onEvent('listSubscriptions', { query: accepted }),
  onEvent('exportSubscriptions', { query: { format: 'csv', fields: ['status', 'created_at'] } }),
  inDemo('listOrganizationSubscriptions', {
    query: { where: { event_id: '$event' }, fields: ['id', 'user_id', 'status'] },
  }),
  inDemo('exportOrganizationSubscriptions', {
    query: { format: 'csv', where: { event_id: '$event' }, fields: ['id', 'status'] },
  }),
  onPlace('checkIn'),
  onPlace('undoCheckIn'),
  onPlace('updateSubscription', { body: { status: 'cancelled', notify: false } }),
  onEvent('transitionSubscriptions', {
    body: { ids: ['$subscription', '01a20410-0000-7000-8000-000000000000'], status: 'accepted', notify: false },
  }),
  onEvent('subscribeUsers', { body: { items: [{ user_id: '$viewer' }, { user_id: '$paul' }], notify: false } }),
  onPlace('listSubscriptionChanges', { query: { where: { status_to: 'accepted' } } }),
  asPaul('renewCalendar', { keep: { calendar: 'url' } }),
  asGuest('getCalendar', { path: { file: '$calendar' } }),
  asPaul('endCalendar'),
  inDemo('listChanges', { query: { since: 'start', kinds: ['event'], limit: 1, include: ['object'] } }),
  inDemo('queryChanges', { body: { since: 'start', kinds: 'form' } }),
];

const atEvent = by('guest', { headers: scope, path: event });

const guests = [
  asGuest('listPublicEvents', { headers: scope, query: { ...filter, ...own } }),
  atEvent('getPublicEvent'),
  atEvent('getPublicEventForm'),
  asGuest('getPublicOrganization', { path: { slug: 'demo' } }),
  atEvent('requestGuestSubscription', { body: { name: 'Grace Guest', email: grace, ...answers } }),
  asGuest('confirmGuestSubscription', { body: { token: '$mailed' }, mail: [grace, 1] }),
  asGuest('lookUpSubscription', { body: { token: '$mailed' }, mail: [grace, 2] }),
  asGuest('changeOwnAnswers', { body: { token: '$mailed', answers: { allergies: 'Nuts and milk' }, form_version: 1 } }),
  asGuest('cancelOwnSubscription', { body: { token: '$mailed' } }),
  asGuest('eraseGuest', { body: { token: '$mailed' } }),
];

const webhook = { webhook: '$webhook' };
const onWebhook = by('owner', { headers: scope, path: webhook });

const webhooks = [
  inDemo('createWebhook', { keep: { webhook: 'id' }, body: { url: 'https://example.org/hooks', kinds: ['form'] } }),
  onWebhook('getWebhook'),
  inDemo('listWebhooks', { query: { where: { status: 'active' }, fields: ['id', 'url', 'status', 'pending'] } }),
  onWebhook('testWebhook'),
  onWebhook('replayWebhook', { body: { since: 'start' } }),
  onWebhook('listWebhookDeliveries', {
    afterDelivery: true,
    keep: { delivery: 'items.0.id' },
    query: { where: { status: 'succeeded' }, fields: ['id', 'status', 'attempt', 'http_status'] },
  }),
  onWebhook('retryWebhookDelivery', { path: { ...webhook, delivery: '$delivery' } }),
  onWebhook('rotateWebhookSecret'),
  onWebhook('updateWebhook', { body: { status: 'paused' } }),
  onWebhook('deleteWebhook'),
];

const leaving = [
  inDemo('listAuditEntries', {
    query: { where: { action: 'event.created' }, fields: ['id', 'action', 'actor_id', 'subject_id', 'created_at'] },
  }),
  inDemo('removeMember', { path: { member: '$member' } }),
  inDemo('inviteMember', { keep: { invitation: 'id' }, body: { email: grace, role: 'member' } }),
  inDemo('revokeInvitation', { path: { invitation: '$invitation' } }),
  asNora('changePassword', { body: { current_password: nora.password, password: newPassword } }),
  asNora('eraseViewer', { body: { password: newPassword } }),
  asPaul('eraseViewerByPost', { body: { password: paul.password } }),
  asOwner('logout'),
];

export const story = [accounts, organizations, people, keys, events, subscriptions, guests, webhooks, leaving].flat();
