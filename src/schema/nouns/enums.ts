import { auditActionMeanings, auditActions } from '../../domain/audit/audit-actions.ts';
import { type ChangeType, changeKinds, changeOps, changeTypes } from '../../domain/change/change.table.ts';
import { changeBeginnings } from '../../domain/change/changes.ts';
import { eventRegistrations, eventStatuses, eventVisibilities } from '../../domain/event/event.entity.ts';
import { availabilities, eventPhases } from '../../domain/event/event-moment.ts';
import { questionTypes } from '../../domain/form/question.ts';
import { signupPolicies } from '../../domain/organization/organization.entity.ts';
import { subscriptionStatuses } from '../../domain/subscription/subscription.entity.ts';
import { subscriptionChangeKinds } from '../../domain/subscription/subscription-change.table.ts';
import { deliveryStatuses, webhookStatuses } from '../../domain/webhook/webhook.entity.ts';
import { errorCodes, errorTitle } from '../../kernel/errors.ts';
import { keyAccesses, organizationRoles } from '../../kernel/request.ts';
import { builder } from '../builder/builder.ts';
import { registerEnum } from '../builder/enum-of.ts';

/** It is the type of all fields with such values. */
export function valueEnum<Name extends string, Value extends string | number>(
  name: string,
  description: string,
  members: Readonly<Record<Name, Value>>,
  descriptions: Readonly<Record<Name, string>>,
) {
  const values = Object.entries<Value>(members).map(
    ([each, value]) =>
      [each.toUpperCase().replace('.', '_'), { value, description: descriptions[each as Name] }] as const,
  );
  const type = builder.enumType(name, { description, values: Object.fromEntries(values) });
  registerEnum(Object.values(members), type);
  return type;
}

/** Members are REST's values in upper case, with underscores for dots. */
export function wordEnum<Word extends string>(
  name: string,
  description: string,
  words: readonly Word[],
  descriptions: Readonly<Record<Word, string>>,
) {
  const members = Object.fromEntries(words.map((word) => [word, word])) as Record<Word, Word>;
  return valueEnum(name, description, members, descriptions);
}

valueEnum('EventStatus', 'The status of an event; REST uses integers.', eventStatuses, {
  DRAFT: 'In preparation; visible to managers and owners only. `0` in REST.',
  ACTIVE: 'Takes place. `1` in REST.',
  CANCELLED: 'Does not take place. `2` in REST.',
  ARCHIVED: 'Archived. `3` in REST.',
});

wordEnum('EventPhase', 'The phase of an active event at the time of the request.', eventPhases, {
  UPCOMING: 'It has not started yet.',
  IN_PROGRESS: 'It has started and has not ended yet.',
  CONCLUDED: 'It has ended.',
});

wordEnum('EventVisibility', 'Who can see an event.', eventVisibilities, {
  public: 'Anyone: the event has a public page.',
  organization: 'Only members of the organization.',
});

wordEnum('EventRegistration', 'How an event handles new subscriptions.', eventRegistrations, {
  open: 'They are accepted.',
  approval: 'They are pending until a manager decides.',
  closed: 'They are refused.',
});

wordEnum('EventSubscriptionStatus', 'The status of a subscription.', subscriptionStatuses, {
  pending: 'Is waiting for approval.',
  accepted: 'Has a place.',
  declined: 'Has been declined.',
  waitlisted: 'Is waiting for a free place.',
  cancelled: 'Has been cancelled.',
});

wordEnum('OrganizationRole', 'The role of a user in an organization.', organizationRoles, {
  owner: 'Manages everything, including the organization itself; reads the audit trail.',
  manager: 'Manages events, subscriptions, invitations, and members who are not owners.',
  member: 'Sees events that are not drafts, and their own subscriptions.',
});

wordEnum('OrganizationSignup', 'Who can join an organization by signing up.', signupPolicies, {
  open: 'Anyone.',
  invite: 'Only people with an invitation.',
});

wordEnum('EventSubscriptionChangeKind', 'What happened to a subscription.', subscriptionChangeKinds, {
  status: 'It was created, or its status changed.',
  check_in: 'Its holder was checked in.',
  undo_check_in: 'The check-in was undone.',
});

wordEnum('EventAvailability', 'What would happen to a new subscription to an event.', availabilities, {
  open: 'It would be accepted.',
  approval: 'It would be pending until a manager decides.',
  waiting_list: 'It would wait for a free place.',
  full: 'It would be refused: there is no free place and no waiting list.',
  closed: 'It would be refused: the event does not accept subscriptions, is over, or does not take place.',
});

wordEnum('ApiKeyAccess', 'What an API key may do.', keyAccesses, {
  read: 'It only reads.',
  write: 'It also writes.',
});

wordEnum('EventQuestionType', 'The type of the answer to a question.', questionTypes, {
  text: 'A text of up to 200 characters.',
  long_text: 'A text of up to 10,000 characters.',
  number: 'A number.',
  date: 'A day, `YYYY-MM-DD`.',
  choice: 'The value of one option.',
  choices: 'The values of any number of options.',
  consent: 'True or false.',
  email: 'An e-mail address.',
  url: 'An absolute http or https address.',
});

wordEnum('ChangeKind', 'What changed.', changeKinds, {
  event: 'An event.',
  form: 'The form of an event.',
  subscription: 'A subscription.',
});

wordEnum('ChangeOp', 'What happened to an object.', changeOps, {
  created: 'It was created, or can be seen from now on.',
  changed: 'It was changed.',
  deleted: 'It was deleted.',
  hidden: 'It left what the viewer may see.',
  refetch: 'Too much of this kind changed to be listed: read the lists again.',
});

wordEnum('ChangeSince', 'Where to begin in the log of changes.', changeBeginnings, {
  start: 'With everything that is kept.',
  now: 'With the changes from now on.',
});

wordEnum('WebhookStatus', 'Whether a webhook sends.', webhookStatuses, {
  active: 'It sends.',
  paused: 'It was paused by hand; its changes are kept.',
  disabled: 'It was disabled by failures; its changes are kept.',
});

wordEnum('WebhookDeliveryStatus', 'The result of an attempt to deliver a change.', deliveryStatuses, {
  succeeded: 'The endpoint answered with a status of 2xx in time.',
  failed: 'It did not.',
});

wordEnum(
  'ErrorCode',
  'The code of an error (`extensions.code`), or of one entry of its `errors`. A release may add members.',
  errorCodes,
  errorTitle,
);

const ofChange = (kind: string): [string, string][] => [
  ['created', `${kind} was created.`],
  ['changed', `${kind} was changed.`],
  ['deleted', `${kind} was deleted.`],
  ['refetch', `${kind} is one of too many that changed to be listed: read the lists again.`],
];

const typeDescriptions = Object.fromEntries(
  Object.entries({ event: 'An event', form: 'The form of an event', subscription: 'A subscription' }).flatMap(
    ([kind, words]) => ofChange(words).map(([op, description]) => [`${kind}.${op}`, description]),
  ),
) as Record<ChangeType, string>;

wordEnum('WebhookDeliveryType', 'The type of a message to a webhook.', changeTypes, typeDescriptions);

wordEnum('AuditAction', 'What was done.', auditActions, auditActionMeanings);
