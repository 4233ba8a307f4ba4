import { insertEvent } from './fixtures.ts';
import { type Caller, query } from './send.ts';
import { createTeam, serveTeam, type TestServer } from './server.ts';

/** The events of {@link startEvents}, in the order of their dates. */
export const names = ['Draft', 'Past', 'Running', 'Future', 'Cancelled 100%', 'Tie a', 'Tie b'];

/** Serves an organization with an event in every state, and a foreign one. */
export async function startEvents() {
  const { server, team } = await serveTeam();
  const { manager: stranger } = await createTeam(server);
  /** By the names of the events. */
  const ids: Record<string, string> = {};
  const at = (days: number) => new Date(Date.now() + days * 86_400_000);
  const inserted = {
    Draft: { status: 0, dateStart: at(-9), dateEnd: at(-8) },
    Past: { status: 1, dateStart: at(-5), dateEnd: at(-4), capacity: 10, visibility: 'public' as const },
    Running: { status: 1, dateStart: at(-1), dateEnd: at(1) },
    Future: { status: 1, dateStart: at(3), dateEnd: at(4), registration: 'approval' as const },
    'Cancelled 100%': { status: 2, dateStart: at(5), dateEnd: at(6) },
    'Tie a': { status: 3, dateStart: at(7), dateEnd: at(8) },
    'Tie b': { status: 3, dateStart: at(7), dateEnd: at(8) },
  };
  for (const [name, input] of Object.entries(inserted)) {
    const event = await insertEvent(server.orm, { organizationId: team.organizationId, name, ...input });
    ids[name] = event.id;
  }
  await insertEvent(server.orm, { organizationId: stranger.organizationId, name: 'Foreign' });
  return { server, world: { ...team, stranger }, ids };
}

export interface EventsAnswer {
  events: {
    edges: { cursor: string; node: { name: string } }[];
    nodes: { name: string }[];
    totalCount: number;
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  };
}

/** One page of events and all that its connection tells. */
export const eventsPage = `query ($first: Int, $last: Int, $after: String, $before: String, $where: EventWhere, $orderBy: EventOrder) {
  events(first: $first, last: $last, after: $after, before: $before, where: $where, orderBy: $orderBy) {
    edges { cursor node { name } } nodes { name } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

/** One page of events, as the caller sees them. */
export async function readEvents(server: TestServer, caller: Caller, variables: Record<string, unknown> = {}) {
  return (await query<EventsAnswer>(server, caller, eventsPage, variables)).events;
}

export function namesOf(connection: EventsAnswer['events']): string[] {
  return connection.nodes.map(({ name }) => name);
}
