import { describe, expect, it } from 'vitest';
import { printedOpenapi } from '../../src/commands/printed-openapi.ts';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { type CodeSample, codeSamples } from '../../src/rest/server/code-samples.ts';
import { type RecordedExample, recordedExamplesFile } from '../../src/rest/server/recorded-examples.ts';
import type { Route } from '../../src/rest/server/route.ts';
import { compileCalls } from '../support/compile.ts';
import { faultsOf, takeViolations, watchAnswers } from '../support/declared-answers.ts';
import { clientDriver, curlDriver, type Driver } from '../support/examples/drivers.ts';
import { exampleUrl, tellStory } from '../support/examples/tell-story.ts';
import { insertEvent } from '../support/fixtures.ts';
import { startedReceiver } from '../support/receiver.ts';
import { routesOfTest as routes } from '../support/routes.ts';
import { send } from '../support/send.ts';
import { serveTeam, startTestServer } from '../support/server.ts';
import { allowLoopback } from '../support/webhooks.ts';

interface Shown {
  operationId: string;
  'x-codeSamples': CodeSample[];
}

/** What a service with the demo answers to the samples of one kind, as the file has it. */
async function record(drive: (url: string) => Promise<Driver>) {
  const server = await startTestServer({ env: { ...allowLoopback, PUBLIC_URL: exampleUrl } });
  await ensureDemo(server.orm);
  try {
    return await tellStory(server, drive);
  } finally {
    await server.close();
  }
}

const examples = await record(curlDriver);

it('the recorded examples are what the service answers to curl; `npm run record` renews them', async () => {
  await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(recordedExamplesFile.pathname);
});

it('every operation has one', () => {
  expect(Object.keys(examples)).toEqual(routes.map(({ operationId }) => operationId));
});

it('the client package gets the same', async () => {
  for (const [operation, { response, ...request }] of Object.entries(await record(clientDriver))) {
    const { response: said, ...sent } = examples[operation] as RecordedExample;
    // whoever reads a file as text leaves out the mark at its beginning
    const expected = typeof said === 'string' ? said.replace(/^\uFEFF/, '') : said;
    expect([operation, request]).toEqual([operation, sent]);
    // the client keeps the tokens to itself
    if (['login', 'refresh', 'logout'].includes(operation)) continue;
    const isWalk = Object.keys((response as object) ?? {}).join() === 'items';
    const { items } = expected as { items?: unknown };
    expect([operation, response]).toEqual([operation, isWalk ? { items } : expected]);
  }
});

it('openapi.json shows these samples, and the calls of the client have its types', async () => {
  const { paths } = JSON.parse(printedOpenapi()) as { paths: Record<string, Record<string, Shown>> };
  const shown = Object.values(paths).flatMap((methods) => Object.values(methods));
  const samplesOf = ({ operationId }: Shown) => {
    const route = routes.find((each) => each.operationId === operationId) as Route;
    return codeSamples(route, examples[operationId] as RecordedExample, exampleUrl);
  };
  for (const each of shown)
    expect([each.operationId, each['x-codeSamples']]).toEqual([each.operationId, samplesOf(each)]);
  const calls = shown.map((each) => [each.operationId, each['x-codeSamples'].at(-1)?.source ?? ''] as const);
  expect(calls).toHaveLength(routes.length);
  expect(await compileCalls(calls)).toBe('');
  const [, call = ''] = calls.find(([operation]) => operation === 'createEvent') ?? [];
  expect(await compileCalls([['misspelt', call.replace('name:', 'nam:')]])).toContain("'nam' does not exist");
});

const { server, team } = await serveTeam();

const problem = {
  type: 'http://events.test/errors/INVALID_QUERY',
  title: 'Bad',
  status: 400,
  code: 'INVALID_QUERY',
  request_id: 'r',
};

const check = (
  target: string,
  body: unknown,
  { method = 'GET', status = 200, contentType = 'application/json' } = {},
) => faultsOf({ method, target, status, contentType, body: typeof body === 'string' ? body : JSON.stringify(body) });

/** An event as the service answers it, with these changes; undefined leaves a field out. */
async function eventWith(changes: Record<string, unknown>) {
  const { id } = await insertEvent(server.orm, { organizationId: team.organizationId });
  return { ...(await send(server, team.owner, `GET /events/${id}`)).body, ...changes };
}

describe('what checks the answers of a test server', () => {
  it('finds nothing in an answer that is declared', async () => {
    expect(check('/events/e', await eventWith({}))).toEqual([]);
    expect(check('/events/e?fields=id%20name', { id: team.owner.userId, name: 'An event' })).toEqual([]);
    expect(check('/events/count', 3)).toEqual([]);
    expect(check('/events', problem, { status: 400, contentType: 'application/problem+json; charset=utf-8' })).toEqual(
      [],
    );
  });

  it('finds a field too many, one too few and one of another type, and names operation and place', async () => {
    const page = { length: 1, has_more: false, next: null, prev: null };
    const list = async (changes: object) => check('/events', { ...page, items: [await eventWith({ ...changes })] });
    expect(await list({ secret: 1 })).toEqual([expect.stringMatching(/^listEvents .* \/items\/0: .*"secret"/)]);
    expect(await list({ slug: undefined })).toEqual([expect.stringMatching(/^listEvents .* \/items\/0: .*"slug"/)]);
    expect(await list({ name: null })).toEqual([
      expect.stringMatching(/^listEvents .* \/items\/0\/name: must be string/),
    ]);
    expect(await list({ date_start: '2026-06-01' })).not.toEqual([]);
    expect(check('/events/e?fields=name', { name: 1 })).not.toEqual([]);
  });

  it('finds a status, a content type and a code that are not declared', () => {
    expect(check('/events', {}, { status: 418 })).toEqual([expect.stringMatching(/^listEvents .* 418: the status/)]);
    expect(check('/events', '<p>', { contentType: 'text/html' })).toEqual([expect.stringContaining("'text/html'")]);
    expect(check('/events', '<p>')).toEqual([expect.stringContaining('not JSON')]);
    const contentType = 'application/problem+json';
    expect(check('/events', { ...problem, code: 'TOKEN_NOT_FOUND' }, { status: 400, contentType })).not.toEqual([]);
    expect(check('/nowhere', { ...problem, code: 'NONSENSE' }, { status: 404, contentType })).not.toEqual([]);
  });

  it('sees each answer before its client does', async () => {
    const { port } = await startedReceiver((response) => {
      response.setHeader('content-type', 'application/json');
      response.write('{"value":');
      response.end('3}');
    });
    const url = `http://127.0.0.1:${port}`;
    await fetch(`${url}/events/count`);
    expect(takeViolations()).toEqual([]);
    watchAnswers(url);
    await fetch(`${url}/events/count`);
    expect(takeViolations()).toEqual([
      expect.stringMatching(/^countEvents \(GET \/events\/count\) 200 \/: must be integer/),
    ]);
    await fetch(`${url}/events/count`, { method: 'HEAD' });
    expect(takeViolations()).toEqual([]);
  });
});
