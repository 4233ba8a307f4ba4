import type { EnumRef } from '@pothos/core';
import {
  type EventRegistration as EventRegistrationValue,
  type EventVisibility as EventVisibilityValue,
  eventRegistrations,
  eventStatuses,
  eventVisibilities,
} from '../../domain/event/event.entity.ts';
import { type SignupPolicy, signupPolicies } from '../../domain/organization/organization.entity.ts';
import { type Availability, availabilities } from '../../domain/subscription/availability.ts';
import {
  type SubscriptionStatus as SubscriptionStatusValue,
  subscriptionStatuses,
} from '../../domain/subscription/subscription.entity.ts';
import { type ChangeKind, changeKinds } from '../../domain/subscription/subscription-change.table.ts';
import { type EventPhase as EventPhaseValue, eventPhases } from '../../engine/list/condition.ts';
import type { OrganizationRole as OrganizationRoleValue } from '../../kernel/roles.ts';
import { organizationRoles } from '../../kernel/roles.ts';
import { builder, type Types } from '../builder/builder.ts';
import { registerEnum } from '../builder/enum-of.ts';

/** An enum whose members are REST's values in upper case. */
function wordEnum<Value extends string>(
  name: string,
  description: string,
  words: readonly Value[],
  descriptions: Record<Value, string>,
) {
  const values = Object.fromEntries(
    words.map((word) => [word.toUpperCase(), { value: word, description: descriptions[word] }]),
  );
  return builder.enumType(name, { description, values }) as unknown as EnumRef<Types, Value>;
}

const statusDescriptions: Record<keyof typeof eventStatuses, string> = {
  DRAFT: 'In preparation; visible to managers and owners only. `0` in REST.',
  ACTIVE: 'Takes place. `1` in REST.',
  CANCELLED: 'Does not take place. `2` in REST.',
  ARCHIVED: 'Archived. `3` in REST.',
};

export const EventStatus = builder.enumType('EventStatus', {
  description: 'The status of an event; REST uses integers.',
  values: Object.fromEntries(
    Object.entries(eventStatuses).map(([name, value]) => [
      name,
      { value, description: statusDescriptions[name as keyof typeof eventStatuses] },
    ]),
  ),
}) as unknown as EnumRef<Types, number>;

export const EventPhase = wordEnum<EventPhaseValue>(
  'EventPhase',
  'The phase of an active event at the time of the request.',
  eventPhases,
  {
    UPCOMING: 'It has not started yet.',
    IN_PROGRESS: 'It has started and has not ended yet.',
    CONCLUDED: 'It has ended.',
  },
);

export const EventVisibility = wordEnum<EventVisibilityValue>(
  'EventVisibility',
  'Who can see an event.',
  eventVisibilities,
  { public: 'Anyone: the event has a public page.', organization: 'Only members of the organization.' },
);

export const EventRegistration = wordEnum<EventRegistrationValue>(
  'EventRegistration',
  'How an event handles new subscriptions.',
  eventRegistrations,
  { open: 'They are accepted.', approval: 'They are pending until a manager decides.', closed: 'They are refused.' },
);

export const EventSubscriptionStatus = wordEnum<SubscriptionStatusValue>(
  'EventSubscriptionStatus',
  'The status of a subscription.',
  subscriptionStatuses,
  {
    pending: 'Is waiting for approval.',
    accepted: 'Has a place.',
    declined: 'Has been declined.',
    waitlisted: 'Is waiting for a free place.',
    cancelled: 'Has been cancelled.',
  },
);

export const OrganizationRole = wordEnum<OrganizationRoleValue>(
  'OrganizationRole',
  'The role of a user in an organization.',
  organizationRoles,
  {
    owner: 'Manages everything, including the organization itself; reads the audit trail.',
    manager: 'Manages events, subscriptions, invitations, and members who are not owners.',
    member: 'Sees events that are not drafts, and their own subscriptions.',
  },
);

export const OrganizationSignup = wordEnum<SignupPolicy>(
  'OrganizationSignup',
  'Who can join an organization by signing up.',
  signupPolicies,
  { open: 'Anyone.', invite: 'Only people with an invitation.' },
);

export const EventSubscriptionChangeKind = wordEnum<ChangeKind>(
  'EventSubscriptionChangeKind',
  'What happened to a subscription.',
  changeKinds,
  {
    status: 'It was created, or its status changed.',
    check_in: 'Its holder was checked in.',
    undo_check_in: 'The check-in was undone.',
  },
);

export const EventAvailability = wordEnum<Availability>(
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

registerEnum(Object.values(eventStatuses), EventStatus);
registerEnum(eventPhases, EventPhase);
registerEnum(eventVisibilities, EventVisibility);
registerEnum(eventRegistrations, EventRegistration);
registerEnum(subscriptionStatuses, EventSubscriptionStatus);
registerEnum(organizationRoles, OrganizationRole);
registerEnum(signupPolicies, OrganizationSignup);
registerEnum(changeKinds, EventSubscriptionChangeKind);
registerEnum(availabilities, EventAvailability);
