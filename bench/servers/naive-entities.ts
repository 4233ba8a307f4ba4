import { defineEntity, p } from '@mikro-orm/core';

/** The entities as an ordinary service would define them for MikroORM, with its own names and with relations. */
const OrganizationSchema = defineEntity({
  name: 'Organization',
  tableName: 'organization',
  properties: { id: p.uuid().primary() },
});
export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);

const UserSchema = defineEntity({
  name: 'User',
  tableName: 'user',
  properties: { id: p.uuid().primary(), name: p.string(), email: p.string(), avatarUrl: p.string().nullable() },
});
export class User extends UserSchema.class {}
UserSchema.setClass(User);

const EventSchema = defineEntity({
  name: 'Event',
  tableName: 'event',
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).ref(),
    name: p.string(),
    slug: p.string(),
    description: p.text().nullable(),
    status: p.smallint(),
    dateStart: p.datetime(3),
    dateEnd: p.datetime(3),
    timezone: p.string(),
    location: p.text().nullable(),
    capacity: p.integer().nullable(),
    visibility: p.string(),
    registration: p.string(),
    waitingList: p.boolean(),
    version: p.integer(),
    acceptedCount: p.integer(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
export class Event extends EventSchema.class {}
EventSchema.setClass(Event);

const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  tableName: 'subscription',
  properties: {
    id: p.uuid().primary(),
    event: () => p.manyToOne(Event).ref(),
    user: () => p.manyToOne(User).ref(),
    status: p.string(),
    answers: p.json().nullable(),
    formVersion: p.integer().nullable(),
    waitingSince: p.datetime(3).nullable(),
    checkedInAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
export class Subscription extends SubscriptionSchema.class {}
SubscriptionSchema.setClass(Subscription);

const SubscriptionChangeSchema = defineEntity({
  name: 'SubscriptionChange',
  tableName: 'subscription_change',
  properties: {
    id: p.uuid().primary(),
    subscription: () => p.manyToOne(Subscription).ref(),
    kind: p.string(),
    statusTo: p.string(),
    actor: () => p.manyToOne(User).ref(),
  },
});
export class SubscriptionChange extends SubscriptionChangeSchema.class {}
SubscriptionChangeSchema.setClass(SubscriptionChange);

const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).ref(),
    actor: () => p.manyToOne(User).ref(),
    action: p.string(),
    detail: p.json(),
    createdAt: p.datetime(3),
  },
});
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);

const JobSchema = defineEntity({
  name: 'Job',
  tableName: 'job',
  properties: {
    id: p.uuid().primary(),
    lane: p.string(),
    kind: p.string(),
    data: p.json(),
    dueAt: p.datetime(3),
    createdAt: p.datetime(3),
  },
});
export class Job extends JobSchema.class {}
JobSchema.setClass(Job);
