import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { YogaServer } from 'graphql-yoga';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { send, withoutId } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';
import { sharedFolder } from '../support/shared.ts';
import { withoutTable } from '../support/sql.ts';

/** The stages of Yoga that requests passed. */
const seen: string[] = [];
const see = (stage: string) => () => void seen.push(stage);

/** Watches every Yoga server that is created from now on, as a plugin that comes first. */
function watchServers(): void {
  vi.spyOn(YogaServer.prototype, 'graphqlEndpoint', 'set').mockImplementation(function (this: unknown) {
    queueMicrotask(() => watch(this as YogaServer<object, object>));
  });
}

function watch(server: YogaServer<object, object>): void {
  const hooks = server as unknown as Record<string, (() => void)[]>;
  hooks.onRequestParseHooks?.unshift(see('request'));
  hooks.onParamsHooks?.unshift(see('params'));
  hooks.onResultProcessHooks?.unshift(see('write'));
  const { getEnveloped } = server;
  const seeing =
    <Given extends unknown[], Result>(stage: string, stageOf: (...given: Given) => Result) =>
    (...given: Given) => {
      seen.push(stage);
      return stageOf(...given);
    };
  const watching = (context: never) => {
    const { parse, validate, execute, ...others } = getEnveloped(context);
    return {
      ...others,
      parse: seeing('parse', parse),
      validate: seeing('validate', validate),
      execute: seeing('execute', execute),
    };
  };
  Object.assign(server, { getEnveloped: watching });
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const trusted = 'query Trusted { events(first: 2) { nodes { name } } }';

const dir = await sharedFolder();
const file = path.join(dir, 'manifest.json');
await writeFile(file, JSON.stringify({ trusted }));
watchServers();
const { server, team } = await serveTeam({ env: { TRUSTED_DOCUMENTS: file } });
afterAll(() => vi.restoreAllMocks());
beforeEach(() => void seen.splice(0));

interface Ask {
  body: unknown;
  headers?: Record<string, string>;
  /** Whether nobody is signed in. */
  stranger?: boolean;
}

async function ask({ body, headers, stranger = false }: Ask) {
  return withoutId(await send(server, stranger ? {} : team.manager, 'POST /graphql', body, headers));
}

const hashed = 'query Hashed { events(first: 2) { nodes { slug } } }';
const persistedQuery = { version: 1, sha256Hash: sha256(hashed) };
const run = ['request', 'params', 'parse', 'validate', 'execute', 'write'];
const invalid = run.filter((stage) => stage !== 'execute');

describe('one path', () => {
  it.each<[string, string[], Ask]>([
    ['a query', run, { body: { query: '{ events(first: 3) { edges { cursor node { name } } } }' } }],
    ['a query with variables', run, { body: { query: 'query ($n: Int) { events(first: $n) { totalCount } }' } }],
    ['introspection', run, { body: { query: '{ __schema { queryType { name } } }' } }],
    ['a trusted document', run, { body: { documentId: 'trusted' } }],
    ['a document by its hash', run, { body: { query: hashed, extensions: { persistedQuery } } }],
    ['a query that fails', run, { body: { query: '{ events(after: "nonsense") { nodes { id } } }' } }],
    [
      'a mutation that fails',
      run,
      { body: { query: 'mutation { deleteEvent(input: {id: "x"}) { deletedEventId } }' } },
    ],
    ['a query of a stranger', run, { body: { query: '{ __typename }' }, stranger: true }],
    ['an invalid document', invalid, { body: { query: '{ nothing }' } }],
    ['a document beyond the limits', invalid, { body: { query: `{ ${'a: b '.repeat(16)} }` } }],
    ['an invalid variable', invalid, invalidVariable()],
    [
      'no access',
      ['request', 'params', 'write'],
      { body: { query: '{ viewer { id } }' }, headers: { authorization: 'Bearer x' } },
    ],
    ['no document', ['request', 'params', 'parse', 'write'], { body: { query: '{' } }],
    ['an unknown hash', ['request', 'params', 'parse', 'write'], { body: { documentId: 'unknown' } }],
    ['no operation', ['request', 'write'], { body: [] }],
    ['no JSON', ['request', 'write'], { body: {}, headers: { 'content-type': 'text/plain' } }],
  ])('%s passes Yoga each time, and is answered the same', async (what, stages, asked) => {
    const first = await ask(asked);
    if (stages === run && !what.includes('fails')) expect(first.text).not.toContain('"errors"');
    for (let again = 0; again < 4; again += 1) expect(await ask(asked)).toEqual(first);
    expect(seen).toEqual(Array(5).fill(stages).flat());
  });

  it('a compiled query that fails is executed once by Yoga, and answered by graphql-js', async () => {
    const query = '# fails\n{ events(first: 1) { nodes { name } } }';
    for (let again = 0; again < 3; again += 1) await ask({ body: { query } });
    seen.splice(0);
    const failed = await withoutTable(server, 'event', () => ask({ body: { query } }));
    expect(failed.text).toContain('INTERNAL_SERVER_ERROR');
    expect(seen).toEqual(run);
    expect(server.takeCompiledFailures()).toHaveLength(1);
  });
});

function invalidVariable(): Ask {
  return { body: { query: 'query ($n: Int) { events(first: $n) { totalCount } }', variables: { n: 'x' } } };
}
