import { defineEntity, type FormulaColumns, p } from '@mikro-orm/core';
import { created_at, id, timestamp, updated_at } from '../../engine/columns.ts';
import { Event } from '../event/event.entity.ts';
import { type SubscriptionStatus, subscriptionStatuses } from '../event/subscription-status.ts';
import { User } from '../user/user.entity.ts';

export { type SubscriptionStatus, subscriptionStatuses };

const attendeeName = (column: FormulaColumns<Record<string, unknown>>) =>
  `coalesce(${column.guest_name}, (select "name" from "user" where "id" = ${column.user_id}))`;

export const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  tableName: 'subscription',
  properties: {
    id: id(),
    event_id: () => p.manyToOne(Event).mapToPk().deleteRule('cascade').index(false),
    user_id: () => p.manyToOne(User).mapToPk().deleteRule('cascade').index(false),
    /** That of the event, kept by triggers, for the order of the organization's list (note 0060). */
    organization_id: p.uuid().hidden(),
    status: p.enum(subscriptionStatuses),
    /** Lazy: they may be a megabyte, which the unit of work would parse and compare repeatedly. */
    answers: p.json<Record<string, unknown>>().strictNullable().lazy(),
    form_version: p.integer().strictNullable(),
    /** When it entered the waiting list, for the order; null if it is not on the list. */
    waiting_since: timestamp().strictNullable(),
    /** Whether a mailed link proved the holder's mailbox, even if the account is not verified. */
    mailbox_proven: p.boolean().default(false),
    /** Confirmed through a guest's link; null if the subscription was made in another way. */
    guest_name: p.string().length(200).strictNullable(),
    /** The given name, otherwise that of the account. Lazy: few commands return it. */
    attendee_name: p.string().formula(attendeeName).lazy(),
    checked_in_at: timestamp().strictNullable(),
    created_at: created_at(),
    updated_at: updated_at(),
  },
  indexes: [
    {
      name: 'subscription_created_at_index',
      properties: ['event_id', 'created_at', 'id'],
      include: ['status', 'user_id', 'checked_in_at', 'updated_at', 'guest_name'],
    },
    { name: 'subscription_status_created_at_index', properties: ['event_id', 'status', 'created_at', 'id'] },
    {
      name: 'subscription_waiting_index',
      properties: ['event_id', 'waiting_since', 'id'],
      where: "status = 'waitlisted'",
    },
    {
      name: 'subscription_form_version_index',
      properties: ['event_id', 'form_version'],
      where: '"form_version" is not null',
    },
    // confirmed guests raise the organization's mail budget
    { name: 'subscription_proven_index', properties: ['event_id'], where: '"mailbox_proven"' },
    {
      name: 'subscription_organization_index',
      properties: ['organization_id', 'created_at', 'id'],
      include: ['status', 'user_id', 'event_id', 'checked_in_at', 'updated_at'],
    },
    {
      name: 'subscription_organization_status_index',
      properties: ['organization_id', 'status', 'created_at', 'id'],
    },
    { name: 'subscription_organization_updated_at_index', properties: ['organization_id', 'updated_at'] },
    { name: 'subscription_user_id_index', properties: ['user_id', 'organization_id', 'created_at', 'id'] },
    { name: 'subscription_event_id_user_id_index', properties: ['event_id', 'user_id', 'created_at', 'id'] },
  ],
});

export class Subscription extends SubscriptionSchema.class {}
SubscriptionSchema.setClass(Subscription);
