// An ordinary fast server: Fastify and Mercurius with graphql-jit, `pg` with named statements, one statement for the
// pages of all events, cursors by HMAC. It accepts the documents of the gateway, but has none of its rules.
import { availableParallelism } from 'node:os';
import fastify from 'fastify';
import mercurius from 'mercurius';
import pg from 'pg';
import { openOrdinary, sealOrdinary } from './ordinary-cursor.ts';

const { url, organization } = JSON.parse(process.argv[2]);
const pool = new pg.Pool({ connectionString: url, max: availableParallelism() * 2 });

const schema = `
  type Query { events(first: Int!, after: String): EventConnection! event(id: ID!): Event }
  type EventConnection { edges: [EventEdge!]! nodes: [Event!]! pageInfo: PageInfo! }
  type EventEdge { cursor: String! node: Event! }
  type Event { id: ID! name: String! slug: String! status: Status! dateStart: String! dateEnd: String! capacity: Int
    acceptedCount: Int! subscriptions(first: Int!, after: String): SubscriptionConnection! }
  type SubscriptionConnection { edges: [SubscriptionEdge!]! nodes: [Subscription!]! pageInfo: PageInfo! }
  type SubscriptionEdge { cursor: String! node: Subscription! }
  type Subscription { id: ID! status: String! createdAt: String! user: User! }
  type User { id: ID! name: String! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  enum Status { DRAFT ACTIVE CANCELLED ARCHIVED }`;

/** A connection from the rows of a page, with one extra row if there are more; graphql-jit calls getters, but not functions. */
const connection = (rows, first, order) => {
  const nodes = rows.slice(0, first);
  const cursor = (row) => row && sealOrdinary(row[order], row.id);
  return {
    nodes,
    get edges() {
      return nodes.map((node) => ({ node, cursor: cursor(node) }));
    },
    pageInfo: {
      hasNextPage: rows.length > first,
      get endCursor() {
        return cursor(nodes.at(-1));
      },
    },
  };
};

const columns = 'id, name, slug, status, date_start, date_end, capacity, accepted_count';
const page = (beyond) =>
  `select ${columns} from event where organization_id = $1 and ${beyond} order by date_start, id limit $2`;
const pages = `select s.id, s.event_id, s.status, s.created_at, s.user_id, u.name as user_name
  from unnest($1::uuid[]) e(id)
  cross join lateral (select * from subscription where event_id = e.id order by created_at, id limit $2) s
  join "user" u on u.id = s.user_id order by s.event_id, s.created_at, s.id`;

const globalId = (type) => (row) => btoa(`${type}:${row.id}`);
const resolvers = {
  Query: {
    events: async (_, { first, after }) => {
      const text = page(after ? '(date_start, id) > ($3, $4)' : 'true');
      const values = [organization, first + 1, ...(after ? openOrdinary(after) : [])];
      return connection(
        (await pool.query({ name: after ? 'after' : 'first', text, values })).rows,
        first,
        'date_start',
      );
    },
    event: async (_, { id }) =>
      (await pool.query({ name: 'event', text: `select ${columns} from event where id = $1`, values: [id] })).rows[0],
  },
  Event: {
    id: globalId('Event'),
    status: ({ status }) => ['DRAFT', 'ACTIVE', 'CANCELLED', 'ARCHIVED'][status],
    dateStart: (row) => row.date_start.toISOString(),
    dateEnd: (row) => row.date_end.toISOString(),
    acceptedCount: (row) => row.accepted_count,
  },
  Subscription: {
    id: globalId('Subscription'),
    createdAt: (row) => row.created_at.toISOString(),
    user: (row) => ({ id: row.user_id, name: row.user_name }),
  },
  User: { id: globalId('User') },
};
const loaders = {
  Event: {
    subscriptions: async (queries) => {
      const { first } = queries[0].params;
      const values = [queries.map(({ obj }) => obj.id), first + 1];
      const { rows } = await pool.query({ name: 'pages', text: pages, values });
      const groups = Map.groupBy(rows, (row) => row.event_id);
      return queries.map(({ obj }) => connection(groups.get(obj.id) ?? [], first, 'created_at'));
    },
  },
};

const app = fastify();
app.register(mercurius, { schema, resolvers, loaders, jit: 1 });
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: app.server.address().port });
process.on('disconnect', () => process.exit(0));
