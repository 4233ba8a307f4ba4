import { eventRegistrations, eventVisibilities } from '../../domain/event/event.entity.ts';
import { signupPolicies } from '../../domain/organization/organization.entity.ts';
import { subscriptionStatuses } from '../../domain/subscription/subscription.entity.ts';
import { organizationRoles } from '../../kernel/roles.ts';
import * as read from './values.ts';

export interface Column {
  read: read.Reader;
  required?: true;
}

/** The sections of a document, in the order in which foreign keys allow rows to be written. */
export const sections = ['organizations', 'users', 'memberships', 'events', 'subscriptions'] as const;
export type Section = (typeof sections)[number];

/** The keys of a row of each section (decisions §6). A key that is not here is a fault. */
export const tables: Record<Section, Record<string, Column>> = {
  organizations: {
    id: { read: read.id, required: true },
    name: { read: read.name, required: true },
    slug: { read: read.slug },
    signup: { read: read.oneOf(signupPolicies) },
    created_at: { read: read.timestamp },
  },
  users: {
    id: { read: read.id, required: true },
    email: { read: read.email, required: true },
    name: { read: read.name, required: true },
    avatar_url: { read: read.nullable(read.webAddress) },
    password: { read: read.text(8, 256) },
    verified: { read: read.boolean },
    created_at: { read: read.timestamp },
  },
  memberships: {
    organization_id: { read: read.id, required: true },
    user_id: { read: read.id, required: true },
    role: { read: read.oneOf(organizationRoles), required: true },
  },
  events: {
    id: { read: read.id, required: true },
    organization_id: { read: read.id, required: true },
    name: { read: read.name, required: true },
    slug: { read: read.slug },
    description: { read: read.nullable(read.text(0, 20_000)) },
    status: { read: read.integer(0, 3) },
    date_start: { read: read.timestamp, required: true },
    date_end: { read: read.timestamp, required: true },
    timezone: { read: read.timezone },
    location: { read: read.nullable(read.text(0, 20_000)) },
    capacity: { read: read.nullable(read.integer(0, 2_147_483_647)) },
    visibility: { read: read.oneOf(eventVisibilities) },
    registration: { read: read.oneOf(eventRegistrations) },
    waiting_list: { read: read.boolean },
    created_at: { read: read.timestamp },
    updated_at: { read: read.timestamp },
  },
  subscriptions: {
    id: { read: read.id, required: true },
    event_id: { read: read.id, required: true },
    user_id: { read: read.id, required: true },
    status: { read: read.oneOf(subscriptionStatuses) },
    answers: { read: read.nullable(read.object) },
    form_version: { read: read.nullable(read.integer(1, 2_147_483_647)) },
    waiting_since: { read: read.nullable(read.timestamp) },
    checked_in_at: { read: read.nullable(read.timestamp) },
    created_at: { read: read.timestamp },
    updated_at: { read: read.timestamp },
  },
};

/** Keys that people may expect, and why they are refused. */
export const refusedKeys = new Map([
  ['accepted_count', 'is counted from the subscriptions and cannot be given'],
  ['version', 'is computed and cannot be given'],
]);
