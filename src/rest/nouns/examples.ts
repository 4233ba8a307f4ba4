import { type EventRow, eventColumns } from '../../domain/event/event.resource.ts';
import type { Example } from '../server/route.ts';

const ids = {
  event: '01a2041f-bf02-7341-bb43-490e65f395cf',
  copy: '01a20410-dec2-7da0-874c-a711c179bfe8',
  subscription: '01a20410-d958-792a-9c68-30502c8b9c20',
  unknown: '01a20410-0000-7000-8000-000000000000',
  user: '019b77bb-e161-7790-8f80-50510b3c56de',
};
const [created, changed] = ['2030-11-22T16:38:39.109Z', '2030-11-22T16:38:40.809Z'];

const event = {
  // fields without a value below are null
  ...(Object.fromEntries(eventColumns.map((name) => [name, null])) as unknown as EventRow),
  id: ids.event,
  name: 'Bread Baking for Beginners',
  slug: 'bread-baking-for-beginners',
  status: 0,
  date_start: '2031-05-03T08:00:00.000Z',
  date_end: '2031-05-03T12:00:00.000Z',
  timezone: 'Europe/Berlin',
  location: 'The kitchen',
  capacity: 12,
  visibility: 'organization',
  registration: 'open',
  waiting_list: true,
  accepted_count: 0,
  version: 1,
  created_at: created,
  updated_at: created,
};

const subscription = {
  id: ids.subscription,
  event_id: ids.event,
  user_id: ids.user,
  status: 'accepted',
  answers: { allergies: 'Nuts' },
  form_version: 1,
  waiting_since: null,
  checked_in_at: null as string | null,
  created_at: created,
  updated_at: created,
};

const questions = [{ key: 'allergies', type: 'text', label: 'What can you not eat?', help: 'There will be cake.' }];

/** The event as public data, once it is public. */
const publicEvent = {
  id: ids.event,
  name: event.name,
  slug: event.slug,
  description: null,
  status: 1,
  date_start: event.date_start,
  date_end: event.date_end,
  timezone: event.timezone,
  location: event.location,
  registration: 'open',
  updated_at: changed,
  availability: 'open',
};

/** Tokens from mails to a guest; invented. */
const tokens = {
  confirm: 'kq0Zb1r5m2vQ7Jt8yXc4wN9dS3fG6hLpEoUaIiRzTxY',
  own: 'M8sVd2Kf5jQ1cZ0xWn7bLr4hTg9yPe6uAoIiEaUqXwR',
};

/** Requests and responses of the operations on events and subscriptions, by operation id; together they tell one story. */
export const examples = {
  createEvent: {
    request: {
      name: 'Bread Baking for Beginners',
      date_start: '2031-05-03T10:00:00+02:00',
      date_end: '2031-05-03T14:00:00+02:00',
      timezone: 'Europe/Berlin',
      location: 'The kitchen',
      capacity: 12,
    },
    response: event,
  },
  updateEvent: { request: { status: 1 }, response: { ...event, status: 1, version: 2, updated_at: changed } },
  duplicateEvent: {
    request: { date_start: '2031-06-07T10:00:00+02:00' },
    response: {
      ...event,
      id: ids.copy,
      slug: 'bread-baking-for-beginners-2',
      date_start: '2031-06-07T08:00:00.000Z',
      date_end: '2031-06-07T12:00:00.000Z',
    },
  },
  deleteEvent: { response: true },
  setEventForm: { request: { questions }, response: { version: 1, questions } },
  subscribe: { request: { answers: { allergies: 'Nuts' }, form_version: 1 }, response: subscription },
  updateSubscription: {
    request: { status: 'cancelled' },
    response: { ...subscription, status: 'cancelled', updated_at: changed },
  },
  transitionSubscriptions: {
    request: { ids: [ids.subscription, ids.unknown], status: 'accepted', notify: false },
    response: {
      items: [{ ...subscription, updated_at: changed }],
      errors: [{ pointer: '/ids/1', code: 'NOT_FOUND', detail: 'The resource does not exist.' }],
    },
  },
  checkIn: { response: { ...subscription, checked_in_at: changed, updated_at: changed } },
  undoCheckIn: { response: { ...subscription, updated_at: changed } },
  getPublicEvent: { response: publicEvent },
  getPublicEventForm: { response: { version: 1, questions } },
  requestGuestSubscription: {
    request: { name: 'Grace Guest', email: 'grace@example.org', answers: { allergies: 'Nuts' }, form_version: 1 },
    response: true,
  },
  confirmGuestSubscription: { request: { token: tokens.confirm }, response: { status: 'accepted' } },
  lookUpSubscription: {
    request: { token: tokens.own },
    response: { event: publicEvent, status: 'accepted', answers: { allergies: 'Nuts' } },
  },
  changeOwnAnswers: {
    request: { token: tokens.own, answers: { allergies: 'Nuts and milk' }, form_version: 1 },
    response: { event: publicEvent, status: 'accepted', answers: { allergies: 'Nuts and milk' } },
  },
  cancelOwnSubscription: { request: { token: tokens.own }, response: true },
} satisfies Record<string, Example>;
