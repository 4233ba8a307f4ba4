import { type AuditAction, auditActions } from '../../domain/audit/audit-actions.ts';
import { type ChangeType, changeKinds, changeOps, changeTypes } from '../../domain/change/change.table.ts';
import { changeBeginnings } from '../../domain/change/changes.ts';
import { eventRegistrations, eventStatuses, eventVisibilities } from '../../domain/event/event.entity.ts';
import { availabilities, eventPhases } from '../../domain/event/event-moment.ts';
import { questionTypes } from '../../domain/form/question.ts';
import { signupPolicies } from '../../domain/organization/organization.entity.ts';
import { subscriptionStatuses } from '../../domain/subscription/subscription.entity.ts';
import { subscriptionChangeKinds } from '../../domain/subscription/subscription-change.table.ts';
import { deliveryStatuses, webhookStatuses } from '../../domain/webhook/webhook.entity.ts';
import { type ErrorCode, errorTitle } from '../../kernel/errors.ts';
import { keyAccesses, organizationRoles } from '../../kernel/request.ts';
import { builder } from '../builder/builder.ts';
import { registerEnum } from '../builder/enum-of.ts';

/** Members are REST's values in upper case, with underscores for dots. It is the type of all fields with such values. */
function wordEnum<Value extends string>(
  name: string,
  description: string,
  words: readonly Value[],
  descriptions: Record<Value, string>,
) {
  const values = Object.fromEntries(
    words.map((word) => [word.toUpperCase().replace('.', '_'), { value: word, description: descriptions[word] }]),
  );
  const type = builder.enumType(name, { description, values });
  registerEnum(words, type);
  return type;
}

const statusDescriptions: Record<keyof typeof eventStatuses, string> = {
  DRAFT: 'In preparation; visible to managers and owners only. `0` in REST.',
  ACTIVE: 'Takes place. `1` in REST.',
  CANCELLED: 'Does not take place. `2` in REST.',
  ARCHIVED: 'Archived. `3` in REST.',
};

export const EventStatusEnum = builder.enumType('EventStatus', {
  description: 'The status of an event; REST uses integers.',
  values: Object.fromEntries(
    Object.entries(eventStatuses).map(([name, value]) => [
      name,
      { value, description: statusDescriptions[name as keyof typeof eventStatuses] },
    ]),
  ),
});
registerEnum(Object.values(eventStatuses), EventStatusEnum);

export const EventPhaseEnum = wordEnum(
  'EventPhase',
  'The phase of an active event at the time of the request.',
  eventPhases,
  {
    UPCOMING: 'It has not started yet.',
    IN_PROGRESS: 'It has started and has not ended yet.',
    CONCLUDED: 'It has ended.',
  },
);

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

export const OrganizationRoleEnum = wordEnum(
  'OrganizationRole',
  'The role of a user in an organization.',
  organizationRoles,
  {
    owner: 'Manages everything, including the organization itself; reads the audit trail.',
    manager: 'Manages events, subscriptions, invitations, and members who are not owners.',
    member: 'Sees events that are not drafts, and their own subscriptions.',
  },
);

wordEnum('OrganizationSignup', 'Who can join an organization by signing up.', signupPolicies, {
  open: 'Anyone.',
  invite: 'Only people with an invitation.',
});

wordEnum('EventSubscriptionChangeKind', 'What happened to a subscription.', subscriptionChangeKinds, {
  status: 'It was created, or its status changed.',
  check_in: 'Its holder was checked in.',
  undo_check_in: 'The check-in was undone.',
});

export const EventAvailabilityEnum = wordEnum(
  'EventAvailability',
  'What would happen to a new subscription to an event.',
  availabilities,
  {
    open: 'It would be accepted.',
    approval: 'It would be pending until a manager decides.',
    waiting_list: 'It would wait for a free place.',
    full: 'It would be refused: there is no free place and no waiting list.',
    closed: 'It would be refused: the event does not accept subscriptions, is over, or does not take place.',
  },
);

wordEnum('ApiKeyAccess', 'What an API key may do.', keyAccesses, {
  read: 'It only reads.',
  write: 'It also writes.',
});

export const EventQuestionTypeEnum = wordEnum(
  'EventQuestionType',
  'The type of the answer to a question.',
  questionTypes,
  {
    text: 'A text of up to 200 characters.',
    long_text: 'A text of up to 10,000 characters.',
    number: 'A number.',
    date: 'A day, `YYYY-MM-DD`.',
    choice: 'The value of one option.',
    choices: 'The values of any number of options.',
    consent: 'True or false.',
    email: 'An e-mail address.',
    url: 'An absolute http or https address.',
  },
);

export const ChangeKindEnum = wordEnum('ChangeKind', 'What changed.', changeKinds, {
  event: 'An event.',
  form: 'The form of an event.',
  subscription: 'A subscription.',
});

export const ChangeOpEnum = wordEnum('ChangeOp', 'What happened to an object.', changeOps, {
  created: 'It was created, or can be seen from now on.',
  changed: 'It was changed.',
  deleted: 'It was deleted.',
  hidden: 'It left what the viewer may see.',
  refetch: 'Too much of this kind changed to be listed: read the lists again.',
});

export const ChangeSinceEnum = wordEnum('ChangeSince', 'Where to begin in the log of changes.', changeBeginnings, {
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

export const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description: 'The code of an error (`extensions.code`), or of one entry of its `errors`. A release may add members.',
  values: Object.fromEntries(
    Object.entries(errorTitle).map(([code, description]) => [code, { value: code as ErrorCode, description }]),
  ) as Record<ErrorCode, { value: ErrorCode; description: string }>,
});

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

const auditDescriptions: Record<AuditAction, string> = {
  'api_key.changed': 'An API key was renamed.',
  'api_key.created': 'An API key was created.',
  'api_key.ended': 'An API key was ended.',
  'calendar.ended': 'A secret calendar address was ended.',
  'calendar.renewed': 'A secret calendar address was created or replaced.',
  'event.changed': 'An event or its form was changed.',
  'event.created': 'An event was created.',
  'event.deleted': 'An event was deleted.',
  'events.exported': 'The events were exported.',
  'invitation.accepted': 'An invitation was accepted.',
  'invitation.created': 'Somebody was invited.',
  'invitation.revoked': 'An invitation was revoked.',
  'keys.revoked': 'The operator revoked secrets, which ended sessions.',
  'member.joined': 'Somebody joined the organization by signing up.',
  'member.left': 'A member left the organization.',
  'member.removed': 'A member was removed from the organization.',
  'member.role_changed': 'The role of a member was changed.',
  'organization.changed': 'The organization was changed.',
  'organization.created': 'The organization was created.',
  'organization.exported': 'The organization was exported.',
  'password.changed': 'A password was changed.',
  'password.refused': 'A change was refused because of a wrong password.',
  'profile.changed': 'A profile was changed.',
  'session.ended': 'A session was ended.',
  'session.refresh_reused': 'A refresh token was used twice, which ended the session.',
  'session.refused': 'A sign-in was refused.',
  'session.started': 'Somebody signed in.',
  'subscriptions.created': 'People were subscribed to an event in one request.',
  'subscriptions.exported': 'The subscriptions of an event were exported.',
  'user.erased': 'An account was erased.',
  'user.exported': 'A person exported their own data.',
  'user.password_reset': 'A password was reset.',
  'user.password_reset_requested': 'A mail to reset a password was requested.',
  'user.signed_up': 'Somebody signed up.',
  'user.signup_refused': 'Somebody tried to sign up with a taken address.',
  'user.verification_requested': 'Another mail to verify an address was requested.',
  'user.verified': 'An address was verified.',
  'webhook.changed': 'A webhook was changed.',
  'webhook.created': 'A webhook was created.',
  'webhook.deleted': 'A webhook was deleted.',
  'webhook.disabled': 'A webhook was disabled by failures.',
  'webhook.replayed': 'A webhook was moved back in the log of changes.',
  'webhook.secret_changed': 'A webhook got a new secret.',
};

wordEnum('AuditAction', 'What was done.', auditActions, auditDescriptions);
