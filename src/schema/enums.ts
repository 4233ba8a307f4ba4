import type { EnumRef } from '@pothos/core';
import {
  type EventRegistration as EventRegistrationValue,
  type EventVisibility as EventVisibilityValue,
  eventRegistrations,
  eventStatuses,
  eventVisibilities,
} from '../domain/event/event.entity.ts';
import { eventResource } from '../domain/event/event.resource.ts';
import { invitationResource } from '../domain/invitation/invitation.resource.ts';
import type { EventPhase as EventPhaseValue } from '../domain/list/condition.ts';
import type { ListField } from '../domain/list/resource.ts';
import {
  type OrganizationRole as OrganizationRoleValue,
  organizationRoles,
} from '../domain/organization/membership.entity.ts';
import { membershipResource } from '../domain/organization/membership.resource.ts';
import { type SignupPolicy, signupPolicies } from '../domain/organization/organization.entity.ts';
import {
  type SubscriptionStatus as SubscriptionStatusValue,
  subscriptionStatuses,
} from '../domain/subscription/subscription.entity.ts';
import { subscriptionResource } from '../domain/subscription/subscription.resource.ts';
import { builder, type Types } from './builder.ts';

/** An enum whose members are REST's words in upper case. */
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
  DRAFT: '0: being prepared; only managers see it.',
  ACTIVE: '1: takes place.',
  CANCELLED: '2: does not take place.',
  ARCHIVED: '3: put away.',
};

export const EventStatus = builder.enumType('EventStatus', {
  description: 'State of an event; REST writes the integers.',
  values: Object.fromEntries(
    Object.entries(eventStatuses).map(([name, value]) => [
      name,
      { value, description: statusDescriptions[name as keyof typeof eventStatuses] },
    ]),
  ),
}) as unknown as EnumRef<Types, number>;

export const EventPhase = wordEnum<EventPhaseValue>(
  'EventPhase',
  'Where an active event stands at the moment of the request.',
  ['UPCOMING', 'IN_PROGRESS', 'CONCLUDED'],
  {
    UPCOMING: 'It starts later.',
    IN_PROGRESS: 'It has started and has not ended.',
    CONCLUDED: 'It has ended.',
  },
);

export const EventVisibility = wordEnum<EventVisibilityValue>(
  'EventVisibility',
  'Who may see an event.',
  eventVisibilities,
  { public: 'Anyone: the event has a public page.', organization: 'The organization alone.' },
);

export const EventRegistration = wordEnum<EventRegistrationValue>(
  'EventRegistration',
  'What a new subscription to an event becomes.',
  eventRegistrations,
  { open: 'Accepted.', approval: 'Pending until a manager decides.', closed: 'None is taken.' },
);

export const EventSubscriptionStatus = wordEnum<SubscriptionStatusValue>(
  'EventSubscriptionStatus',
  'State of a subscription.',
  subscriptionStatuses,
  {
    pending: 'Waits for a decision.',
    accepted: 'Has a place.',
    declined: 'Was refused.',
    waitlisted: 'Waits for a free place.',
    cancelled: 'Was given up.',
  },
);

export const OrganizationRole = wordEnum<OrganizationRoleValue>(
  'OrganizationRole',
  'What a user is in an organization.',
  organizationRoles,
  {
    owner: 'Sees and changes everything of the organization.',
    manager: 'Sees and changes everything of the organization.',
    member: 'Sees the events that are not drafts and the own subscriptions.',
  },
);

export const OrganizationSignup = wordEnum<SignupPolicy>(
  'OrganizationSignup',
  'Who may join an organization by sign-up.',
  signupPolicies,
  { open: 'Anyone.', invite: 'Only the invited.' },
);

/** The enum of a field that has one, by the field's definition. */
export const fieldEnums = new Map<ListField, EnumRef<Types, number> | EnumRef<Types, string>>([
  [eventResource.fields.status, EventStatus],
  [eventResource.fields.visibility, EventVisibility],
  [eventResource.fields.registration, EventRegistration],
  [subscriptionResource.fields.status, EventSubscriptionStatus],
  [membershipResource.fields.role, OrganizationRole],
  [invitationResource.fields.role, OrganizationRole],
]);
