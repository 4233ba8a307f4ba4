import { randomUUIDv7 } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { LockMode, MikroORM } from '@mikro-orm/postgresql';
import SchemaBuilder from '@pothos/core';
import express from 'express';
import { createYoga } from 'graphql-yoga';
import type { BenchData } from '../database.ts';
import { AuditEntry, Event, Job, Organization, Subscription, SubscriptionChange, User } from './naive-entities.ts';

/** The usual way: Express and `em.find` with `populate`; Yoga and Pothos with one `em.find` per parent. No rules. */
const { url, organization, hot, deep, range } = JSON.parse(process.argv[2] as string) as BenchData;
const orm = await MikroORM.init({
  clientUrl: url,
  entities: [Organization, User, Event, Subscription, SubscriptionChange, AuditEntry, Job],
  pool: { max: availableParallelism() * 2 },
});
const app = express();
const order = { dateStart: 'asc', id: 'asc' } as const;
const page = (items: unknown[]) => ({ items, length: items.length, has_more: true });

app.get('/q1', async (_request, response) => {
  response.json(page(await orm.em.fork().find(Event, { organization }, { orderBy: order, limit: 20 })));
});
app.get('/q2', async (_request, response) => {
  const offset = (deep.page - 1) * 20;
  response.json(page(await orm.em.fork().find(Event, { organization }, { orderBy: order, limit: 20, offset })));
});
app.get('/q3', async (_request, response) => {
  const options = { orderBy: { createdAt: 'asc', id: 'asc' }, limit: 50, populate: ['user'] } as const;
  response.json(page(await orm.em.fork().find(Subscription, { event: hot.id }, options)));
});
app.get('/q4', async (_request, response) => {
  const dateStart = { $gte: new Date(range.from), $lt: new Date(range.to) };
  response.json(await orm.em.fork().count(Event, { organization, status: 1, dateStart }));
});
app.get('/q5', async (_request, response) => {
  const where = { organization, name: { $ilike: '%workshop%' } };
  response.json(page(await orm.em.fork().find(Event, where, { orderBy: order, limit: 20 })));
});

app.use(express.json());
app.post('/subscribe/:event/:user', async (request, response) => {
  const { event: eventId, user } = request.params;
  const subscription = await orm.em.fork().transactional(async (em) => {
    const event = await em.findOneOrFail(Event, eventId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const isFree = event.capacity == null || event.acceptedCount < event.capacity;
    const status = isFree ? 'accepted' : 'waitlisted';
    const now = new Date();
    const times = { createdAt: now, updatedAt: now, checkedInAt: null, waitingSince: isFree ? null : now };
    const created = em.create(Subscription, {
      id: randomUUIDv7(),
      event,
      user,
      status,
      answers: null,
      formVersion: null,
      ...times,
    });
    em.create(SubscriptionChange, {
      ...{ id: randomUUIDv7(), subscription: created, kind: 'status', statusTo: status, actor: user },
    });
    em.create(Job, {
      ...{ id: randomUUIDv7(), lane: 'event_mails', kind: 'subscription_changed', createdAt: now },
      // so late that it is never sent
      dueAt: new Date(now.getTime() + 24 * 60 * 60 * 1000),
      data: { subscriptionId: created.id, status, by: 'holder' },
    });
    return created;
  });
  response.json(subscription);
});
app.patch('/change/:event/:user', async (request, response) => {
  const { event: eventId, user } = request.params;
  const event = await orm.em.fork().transactional(async (em) => {
    const found = await em.findOneOrFail(Event, eventId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const now = new Date();
    em.assign(found, { description: request.body.description, version: found.version + 1, updatedAt: now });
    const detail = { event: eventId, fields: ['description'] };
    const entry = { organization: found.organization.id, actor: user, action: 'event.changed', detail };
    em.create(AuditEntry, { id: randomUUIDv7(), ...entry, createdAt: now });
    return found;
  });
  response.json(event);
});

const builder = new SchemaBuilder<{ Objects: { Event: Event; Subscription: Subscription; User: User } }>({});
builder.objectType('User', { fields: (t) => ({ id: t.exposeString('id'), name: t.exposeString('name') }) });
builder.objectType('Subscription', {
  fields: (t) => ({
    id: t.exposeString('id'),
    status: t.exposeString('status'),
    createdAt: t.string({ resolve: (each) => each.createdAt.toISOString() }),
    user: t.field({ type: 'User', resolve: (each) => each.user.loadOrFail() }),
  }),
});
builder.objectType('Event', {
  fields: (t) => ({
    id: t.exposeString('id'),
    name: t.exposeString('name'),
    slug: t.exposeString('slug'),
    status: t.exposeInt('status'),
    dateStart: t.string({ resolve: (each) => each.dateStart.toISOString() }),
    dateEnd: t.string({ resolve: (each) => each.dateEnd.toISOString() }),
    capacity: t.exposeInt('capacity', { nullable: true }),
    acceptedCount: t.exposeInt('acceptedCount'),
    subscriptions: t.field({
      type: ['Subscription'],
      args: { first: t.arg.int({ required: true }) },
      resolve: (each, { first }) =>
        orm.em
          .fork()
          .find(Subscription, { event: each.id }, { orderBy: { createdAt: 'asc', id: 'asc' }, limit: first }),
    }),
  }),
});
builder.queryType({
  fields: (t) => ({
    events: t.field({
      type: ['Event'],
      args: { first: t.arg.int({ required: true }), from: t.arg.string() },
      resolve: (_, { first, from }) => {
        const where = { organization, ...(from ? { dateStart: { $gte: new Date(from) } } : {}) };
        return orm.em.fork().find(Event, where, { orderBy: order, limit: first });
      },
    }),
    event: t.field({
      type: 'Event',
      args: { id: t.arg.string({ required: true }) },
      resolve: (_, { id }) => orm.em.fork().findOneOrFail(Event, id),
    }),
  }),
});
app.use('/graphql', createYoga({ schema: builder.toSchema(), logging: false }) as unknown as express.RequestHandler);

const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
process.on('disconnect', () => process.exit(0));
