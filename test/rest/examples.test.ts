import { expect, it } from 'vitest';
import { printedOpenapi } from '../../src/commands/printed-openapi.ts';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { type CodeSample, codeSamples } from '../../src/rest/server/code-samples.ts';
import { type RecordedExample, recordedExamplesFile } from '../../src/rest/server/recorded-examples.ts';
import type { Route } from '../../src/rest/server/route.ts';
import { compileCalls } from '../support/compile.ts';
import { clientDriver, curlDriver, type Driver } from '../support/examples/drivers.ts';
import { exampleUrl, tellStory } from '../support/examples/tell-story.ts';
import { routesOfTest as routes } from '../support/routes.ts';
import { startTestServer } from '../support/server.ts';
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
