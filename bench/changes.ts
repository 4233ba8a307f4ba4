import type { PoolClient } from 'pg';
import { createProgress } from '../packages/command-line/src/index.ts';
import { generatedPassword } from '../packages/generated-data/src/index.ts';
import { type Moment, type Place, tail } from '../packages/log-places/src/index.ts';
import { withClient } from '../src/db/client.ts';
import { type ChangeKind, changeKinds } from '../src/domain/change/change.table.ts';
import { ViewCursors } from '../src/domain/change/changes.ts';
import { CursorCodec } from '../src/engine/cursor.ts';
import { fillLog } from './change-log.ts';
import { type BenchData, openBenchDatabase } from './database.ts';
import { cursorSecret, type RunningPeer, signIn, startPeers, startServer, stopPeers } from './peers.ts';
import { origin, save } from './report.ts';
import type { Settings } from './settings.ts';
import { chosen, copiesOf, type TurnQuestion, type Turns, takeTurns, turnRatios, turnTables } from './turns.ts';

/** Where a reader stands in the log. */
interface Stand {
  seq: string;
  id: string;
}

/** The rows of the log that the questions are about. */
export interface LogData extends BenchData {
  /** The id of a member of the large organization. */
  member: string;
  middle: Stand;
  end: Stand;
  quiet: Moment;
  /** Twenty transactions were open. */
  busy: Moment;
}

interface Size {
  entries: number;
  turns: Turns;
}

/** The generated account that is a member: see `accountRoles`. */
const memberAccount = { email: 'user-3@seed-1.example', password: generatedPassword };

/** Measures pages of the log against the same rows by one statement, at several sizes of the log; returns the report. */
export async function measureChanges(settings: Settings): Promise<string> {
  const data = await openBenchDatabase(settings.counts, process.env.DATABASE_URL ?? null);
  try {
    const sizes: Size[] = [];
    let asked: TurnQuestion[] = [];
    for (const entries of settings.changes) {
      const log = await withClient(data.url, (client) => prepareLog(client, data, entries));
      const running = await startPeers(['gateway', ...copiesOf(settings)], data, { profile: settings.profile });
      try {
        const gateway = running.get('gateway') as RunningPeer;
        running.set('limit', await startServer('limit-changes.ts', log));
        const limit = running.get('limit') as RunningPeer;
        asked = chosen(await questions(gateway, limit, log), settings);
        for (const question of asked) await compareAnswers(question);
        sizes.push({ entries, turns: await takeTurns(asked, running, data.postmaster, settings) });
      } finally {
        await stopPeers(running);
      }
    }
    const text = report(asked, sizes, settings);
    await save(settings.out, { 'changes.md': text });
    return text;
  } finally {
    await data.close();
  }
}

async function prepareLog(client: PoolClient, data: BenchData, entries: number): Promise<LogData> {
  const { organization } = data;
  const one = async <Row extends object>(text: string): Promise<Row> => (await client.query<Row>(text)).rows[0] as Row;
  const { member } = await one<{ member: string }>(
    `select id as member from "user" where email = '${memberAccount.email}'`,
  );
  await fillLog(client, { organization, member }, entries, createProgress());
  const stand = (order: string) =>
    one<Stand>(`select seq, id from change where organization_id = '${organization}' ${order} limit 1`);
  const open: number[] = [];
  // these have written nothing to the log: looked for and not found, as most transactions
  for (let each = 0; each < 20; each += 1) {
    open.push(Number((await one<{ x: string }>('select pg_current_xact_id()::text as x')).x));
  }
  const from = (open.at(-1) as number) + 1;
  return {
    ...data,
    member,
    middle: await stand(`order by seq offset ${Math.floor(entries / 4)}`),
    end: await stand('order by seq desc'),
    quiet: { open: [], from, to: from },
    busy: { open, from, to: from + 2 },
  };
}

async function questions({ url, headers }: RunningPeer, limit: RunningPeer, log: LogData): Promise<TurnQuestion[]> {
  const { organization, member, middle, end, quiet, busy } = log;
  const services = { cursors: new CursorCodec([cursorSecret]) };
  const cursor = (
    stand: Stand,
    moment: Moment,
    as: string | null = null,
    kinds: readonly ChangeKind[] = changeKinds,
  ) => {
    const at = Math.floor(Date.now() / 1000);
    const place: Place = { height: Number(stand.seq), moment, late: null, newest: tail(stand.id), at, caughtUp: false };
    return new ViewCursors({ services } as never, { organizationId: organization, member: as, kinds }).seal(place);
  };
  const ask = (name: string, title: string, path: string, token: string, further = '', as = headers): TurnQuestion => ({
    ...{ name, title },
    asks: {
      limit: { url: `${limit.url}${path}`, headers: {} },
      gateway: { url: `${url}/changes?limit=50&token=${token}${further}`, headers: as },
    },
  });
  const asMember = { ...headers, authorization: `Bearer ${await signIn(url, memberAccount)}` };
  const query = `query($after: String) { changes(first: 50, after: $after) {
    nodes { id kind op objectDatabaseId eventDatabaseId version actorDatabaseId occurredAt } pageInfo { hasNextPage endCursor } } }`;
  const graphql = ask('F5', 'F1 as GraphQL', '/all', '');
  graphql.asks.gateway = {
    url: `${url}/graphql`,
    headers: { ...headers, 'content-type': 'application/json' },
    method: 'POST',
    body: JSON.stringify({ query, variables: { after: cursor(middle, quiet) } }),
  };
  return [
    ask('F1', '50 changes from the middle of the log, for managers', '/all', cursor(middle, quiet)),
    ask('F2', 'F1 after 20 transactions were open', '/all', cursor(middle, busy)),
    ask('F3', '50 changes of forms, which are rare', '/forms', cursor(middle, quiet, null, ['form']), '&kinds=form'),
    ask('F4', '50 changes for a member', '/member', cursor(middle, quiet, member), '', asMember),
    graphql,
    ask('F6', 'nothing new', '/none', cursor(end, quiet)),
  ];
}

/** Both must tell the same changes, or their speed means nothing. */
async function compareAnswers({ name, asks }: TurnQuestion): Promise<void> {
  const idsOf = async ({ url, headers, method = 'GET', body }: TurnQuestion['asks']['limit']) => {
    const response = await fetch(url, { headers, method, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    const answer = JSON.parse(text) as {
      items?: { id: string }[];
      data?: { changes: { nodes: { id: string }[] } | null };
    };
    const items = answer.items ?? answer.data?.changes?.nodes;
    if (!items) throw new Error(`${name}: ${response.status} ${text.slice(0, 300)}`);
    return items.map(({ id }) => id).join();
  };
  if ((await idsOf(asks.limit)) !== (await idsOf(asks.gateway))) throw new Error(`${name}: the answers differ.`);
}

function report(asked: TurnQuestion[], sizes: Size[], { command, rounds, connections }: Settings): string {
  const parts = sizes.map(
    ({ entries, turns }) => `## ${entries.toLocaleString('en')} changes

${turns.calm.summary()}

${turnRatios(turns, asked)}
${turnTables(asked, turns)}`,
  );
  return `# Pages of the log of changes

${connections} connections; rounds: ${rounds}, in each of which the limit and the service take turns; medians. Half of the log is of the organization that is
read. The limit is plain \`node:http\` and one prepared statement that gives the same changes, without users, cursors, or anything
that was committed late.

${origin(command)}
${parts.join('\n')}`;
}
