import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../src/db/client.ts';
import { generatedPassword } from '../src/db/generate/generate.ts';
import { limitCores } from './control-group.ts';
import { type BenchData, openBenchDatabase } from './database.ts';
import { type OpenRequest, type Second, sendAtRate } from './open-load.ts';
import { type RunningPeer, signIn, startPeers, stopPeers } from './peers.ts';
import { figure, origin, save, table } from './report.ts';
import type { Settings } from './settings.ts';

/** How many users ask, each of an organization of their own if there are as many. */
const users = 16;
/** Seconds at each rate. */
const length = 15;

/** One rate, and what became of its requests. */
interface Phase {
  name: string;
  rate: number;
  seconds: Second[];
}

/**
 * Sends requests at rates up to the capacity and beyond it, whether or not they are answered; returns the report. What
 * matters: how much is served beyond the capacity, how long that takes, and how soon all is well again.
 */
export async function overload(settings: Settings): Promise<string> {
  const data = await openBenchDatabase(settings.counts, process.env.DATABASE_URL ?? null);
  // all come from one address here
  const running = await startPeers(['gateway'], data, {
    profile: settings.profile,
    env: { MAX_CONNECTIONS_PER_NETWORK: '4000' },
  });
  const ends: (() => void)[] = [];
  try {
    const gateway = running.get('gateway') as RunningPeer;
    if (settings.cores > 0) {
      ends.push(limitCores([gateway.pid], settings.cores));
      if (data.postmaster) ends.push(limitCores([data.postmaster], settings.cores));
    }
    const requests = await makeRequests(gateway, data);
    const peak = await findPeak(gateway.url, requests);
    const phase = async (name: string, rate: number, seconds = length): Promise<Phase> => ({
      name,
      rate,
      seconds: await sendAtRate(gateway.url, requests, Math.round(rate), seconds),
    });
    const calm = await phase('half of the peak', peak / 2);
    const twice = await phase('twice the peak', peak * 2);
    // without a pause: what was left over is part of what has to be got over
    const after = await phase('half of the peak, right after it', peak / 2);
    const text = report(settings, peak, [calm, twice, after]);
    await save(settings.out, { 'overload.md': text });
    return text;
  } finally {
    for (const end of ends) end();
    await stopPeers(running);
    await data.close();
  }
}

/** Lists by REST, and every fifth request the same by GraphQL, of several users. */
async function makeRequests({ url }: RunningPeer, data: BenchData): Promise<OpenRequest[]> {
  const found = await withClient(data.url, async (client) => {
    // one of the generated users has a password
    const { rows } = await client.query<{ email: string; organization: string }>(
      `with asked as (select distinct on (organization_id) user_id, organization_id from membership
           order by organization_id, user_id limit $1)
         update "user" set password_hash = (select password_hash from "user" where email = $2)
           from asked where "user".id = asked.user_id returning email, organization_id as organization`,
      [users, data.account.email],
    );
    return rows;
  });
  const query = '{ events(first: 20) { nodes { id name slug status dateStart dateEnd capacity acceptedCount } } }';
  const each = await Promise.all(
    found.map(async ({ email, organization }): Promise<OpenRequest[]> => {
      const token = await signIn(url, { email, password: generatedPassword });
      const headers = { authorization: `Bearer ${token}`, 'x-organization-id': organization };
      const list: OpenRequest = { path: '/events?limit=20', method: 'GET', headers };
      const graphql: OpenRequest = {
        path: '/graphql',
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      };
      return [list, list, list, list, graphql];
    }),
  );
  // users take turns
  return Array.from({ length: 5 }, (_, index) => each.flatMap((ofUser) => ofUser[index] ?? [])).flat();
}

/** The most that was served in time per second while the rate rose, until it was too much twice, since other work disturbs. */
async function findPeak(url: string, requests: OpenRequest[]): Promise<number> {
  await sendAtRate(url, requests, 200, 5);
  let best = 0;
  let exceeded = 0;
  for (let rate = 200; exceeded < 2; rate = Math.round(rate * 1.15)) {
    const served = goodput(await sendAtRate(url, requests, rate, 4));
    best = Math.max(best, served);
    exceeded = served < rate * 0.9 ? exceeded + 1 : 0;
    await sleep(500);
  }
  return best;
}

/** Milliseconds within which a response counts as served. */
const inTime = 1_000;

/** Responses in time per second, without the first second. */
function goodput(seconds: Second[]): number {
  const counted = seconds.slice(1);
  const served = counted.reduce((sum, { accepted }) => sum + accepted.filter((time) => time < inTime).length, 0);
  return served / counted.length;
}

function quantile(seconds: Second[], share: number): number {
  const times = seconds.flatMap(({ accepted }) => accepted).sort((a, b) => a - b);
  return times[Math.floor(times.length * share)] ?? Number.NaN;
}

/** The first second from which on everything is served in time to the end; null if there is none. */
function recovery(seconds: Second[]): number | null {
  const isNormal = (each: Second) => each.refused + each.failed === 0 && quantile([each], 0.99) < inTime;
  const lastBad = seconds.findLastIndex((each) => !isNormal(each));
  return lastBad === seconds.length - 1 ? null : lastBad + 1;
}

function report({ command, counts }: Settings, peak: number, phases: Phase[]): string {
  const sum = (seconds: Second[], of: (second: Second) => number) => seconds.reduce((all, each) => all + of(each), 0);
  const recovered = recovery((phases.at(-1) as Phase).seconds);
  return `# More requests than can be served

${counts.events.toLocaleString('en')} events; ${users} users who send lists, 4 of 5 by REST and 1 by GraphQL, at a fixed rate, whether or not they are answered. The peak is the
most that was served in a second as the rate rose. "Served" is a response of status 200 within a second of when the request was due; times are of all
responses of status 200. The load generator and PostgreSQL use the same cores as the service, so at twice the peak the generator takes a part of what the
service would need: ratios on a machine of its own are better, and absolute figures mean little.

${origin(command)}
Peak: ${figure(peak)} served per second.

${table(
  ['rate', 'per second', 'served per second', 'of the peak', 'refused', 'failed', 'p50', 'p99'],
  phases.map(({ name, rate, seconds }) => [
    name,
    figure(rate),
    figure(goodput(seconds)),
    figure(goodput(seconds) / peak, 2),
    figure(sum(seconds, ({ refused }) => refused)),
    figure(sum(seconds, ({ failed }) => failed)),
    `${figure(quantile(seconds, 0.5))} ms`,
    `${figure(quantile(seconds, 0.99))} ms`,
  ]),
)}
${recovered === null ? 'Not all was well again within the time that was measured.' : `All was well again ${recovered} s after the overload ended.`}
`;
}
