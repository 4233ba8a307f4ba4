import { availableParallelism } from 'node:os';
import { MikroORM } from '@mikro-orm/postgresql';
import SchemaBuilder from '@pothos/core';
import express from 'express';
import { createYoga } from 'graphql-yoga';
import type { BenchData } from '../database.ts';
import { Event, Organization, Subscription, User } from './naive-entities.ts';

/** The usual way: Express and `em.find` with `populate`; Yoga and Pothos with one `em.find` per parent. No rules. */
const { url, organization, hot, deep, range } = JSON.parse(process.argv[2] as string) as BenchData;
const orm = await MikroORM.init({
  clientUrl: url,
  entities: [Organization, User, Event, Subscription],
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
