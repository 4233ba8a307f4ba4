import type { Placeholder } from 'graphiql-and-reference';

interface Nodes<Node> {
  nodes: Node[];
}

interface Candidate {
  id: string;
  capacity: number | null;
  acceptedCount: number;
  waitingList: boolean;
  viewerSubscription: { id: string; status: string; createdAt: string } | null;
  form: { questions: { required: boolean }[] };
  subscriptions: Nodes<{ id: string }>;
}

const upcoming = 'phase: { eq: UPCOMING }';

async function events(ask: (query: string) => Promise<unknown>, rest: string): Promise<Candidate[]> {
  const data = (await ask(`{ events(${rest} }`)) as { events?: Nodes<Candidate> } | null | undefined;
  return data?.events?.nodes ?? [];
}

/** Whether any member can subscribe to the event without answering questions. */
function takesSubscription(event: Candidate): boolean {
  const { capacity, acceptedCount, waitingList, viewerSubscription, form } = event;
  const room = waitingList || capacity === null || acceptedCount < capacity;
  return room && viewerSubscription === null && !form.questions.some(({ required }) => required);
}

/** Values that examples describe in words, since ids differ between databases. Looked up at each run. */
export const placeholders: Readonly<Record<string, Placeholder>> = {
  '<now>': { find: () => new Date().toISOString(), otherwise: '' },
  '<the newest draft>': {
    find: async (ask) => {
      const order = 'orderBy: { field: CREATED_AT, direction: DESC }';
      const [draft] = await events(ask, `where: { status: { eq: DRAFT } }, ${order}, first: 1) { nodes { id } }`);
      return draft?.id;
    },
    otherwise: 'There is no draft that you may see. As a manager, run the tab CreateEvent first.',
  },
  '<the next event to subscribe to>': {
    find: async (ask) => {
      const found = await events(
        ask,
        `where: { ${upcoming}, registration: { ne: CLOSED } }, first: 50) { nodes { id capacity acceptedCount waitingList viewerSubscription { id } form { questions { required } } } }`,
      );
      return found.find(takesSubscription)?.id;
    },
    otherwise: 'There is no upcoming event that you could subscribe to. Sign in, or create one.',
  },
  '<your newest subscription>': {
    find: async (ask) => {
      const found = await events(
        ask,
        `where: { ${upcoming} }, first: 50) { nodes { viewerSubscription { id status createdAt } } }`,
      );
      const live = found
        .flatMap(({ viewerSubscription }) => viewerSubscription ?? [])
        .filter(({ status }) => status !== 'CANCELLED' && status !== 'DECLINED');
      return live.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]?.id;
    },
    otherwise: 'You have no subscription to an upcoming event. Run the tab Subscribe first.',
  },
  '<an upcoming public event, if possible with questions>': {
    find: async (ask) => {
      const from = JSON.stringify(new Date().toISOString());
      const where = `where: { dateStart: { gte: ${from} }, status: { eq: ACTIVE } }`;
      const data = await ask(`{ publicEvents(${where}, first: 50) { nodes { id form { questions { required } } } } }`);
      const found = (data as { publicEvents?: Nodes<Pick<Candidate, 'id' | 'form'>> } | null | undefined)?.publicEvents;
      return (found?.nodes.find(({ form }) => form.questions.length > 0) ?? found?.nodes[0])?.id;
    },
    otherwise: 'There is no upcoming public event in this organization. As a manager, publish one.',
  },
  '<a pending subscription>': {
    find: async (ask) => {
      const pending = 'subscriptions(where: { status: { eq: PENDING } }, first: 1) { nodes { id } }';
      const found = await events(ask, `where: { ${upcoming} }, first: 50) { nodes { ${pending} } }`);
      return found.flatMap(({ subscriptions }) => subscriptions.nodes)[0]?.id;
    },
    otherwise:
      'No subscription is waiting for a decision. Managers see all of them; subscribe to an event with approval first.',
  },
};
