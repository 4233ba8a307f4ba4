import { expect, vi } from 'vitest';
import { uuidOf } from '#demo-content';
import { codeSamples } from '../../../src/rest/server/code-samples.ts';
import type { ExampleRequest, RecordedExample } from '../../../src/rest/server/recorded-examples.ts';
import { insertUser } from '../fixtures.ts';
import { mailedToken } from '../guests.ts';
import { startReceiver } from '../receiver.ts';
import { routesOfTest } from '../routes.ts';
import type { TestServer } from '../server.ts';
import type { Driver } from './drivers.ts';
import { StableValues } from './stable-values.ts';
import { credentials, type Step, story } from './story.ts';

export const exampleUrl = 'http://localhost:3000';

/**
 * Tells the story to a service with the demo, by the samples of one kind.
 *
 * @param server at {@link exampleUrl}, with WEBHOOK_ALLOW for this machine
 * @returns the examples by operation id, with stable values, in the order of the routes
 */
export async function tellStory(
  server: TestServer,
  drive: (url: string) => Promise<Driver>,
): Promise<Record<string, RecordedExample>> {
  const { paul } = credentials;
  await insertUser(server.orm, { ...paul, id: uuidOf('example paul'), name: 'Paul Participant' });
  const receiver = await startReceiver();
  const driver = await drive(server.url);
  const values = new StableValues();
  values.replace(receiver.url, 'https://example.org/hooks');
  const kept: Record<string, string> = {};
  const examples = new Map<string, RecordedExample>();
  try {
    for (const actor of Object.keys(credentials) as (keyof typeof credentials)[]) {
      if (actor !== 'nora') await driver.signIn(actor);
    }
    for (const step of story.flatMap(withTwins)) {
      const { operation, keep = {}, mail, thenSignIn } = step;
      const route = routesOfTest.find(({ operationId }) => operationId === operation);
      if (!route) throw new Error(`There is no operation ${operation}.`);
      if (mail) kept.mailed = values.stable(await mailedToken(server, ...mail), 'mail') as string;
      if (step.afterDelivery) await afterDelivery(server);
      const request = requestOf(step, kept);
      const source = codeSamples(route, request, exampleUrl).find(({ label }) => label === driver.label)?.source ?? '';
      const answer = await driver.run(values.real(source).replaceAll(exampleUrl, server.url), step);
      const response = values.stable(answer ?? null, operation);
      if (!examples.has(operation)) examples.set(operation, { ...request, response });
      for (const [name, path] of Object.entries(keep)) kept[name] = valueAt(response, path);
      if (thenSignIn) await driver.signIn(thenSignIn);
    }
  } finally {
    await driver.close();
    await receiver.close();
  }
  const order = routesOfTest.map(({ operationId }) => operationId);
  return Object.fromEntries([...examples].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}

/** Waits until what is replayed has come: the demo is told of as a whole, and then the form. */
async function afterDelivery({ execute }: TestServer): Promise<void> {
  const rows = () => execute("select 1 from webhook_delivery where status = 'succeeded'");
  // not `expect.poll`, which needs a test around it
  await vi.waitFor(async () => expect(await rows()).toHaveLength(2), { timeout: 30_000, interval: 20 });
}

/** A list, the same by POST, and its count. */
function withTwins(step: Step): Step[] {
  const list = routesOfTest.find(({ operationId, lists }) => operationId === step.operation && lists);
  if (!list) return [step];
  const { query = {}, keep: _, afterDelivery: __, ...shared } = step;
  const { where, fields, include, ...others } = query;
  const texts = Object.entries({ fields, include }).flatMap(([name, names]) =>
    names ? [[name, (names as string[]).join(' ')] as const] : [],
  );
  const name = step.operation.replace(/^list/, '');
  const body = { ...(where ? { where } : {}), ...others, ...Object.fromEntries(texts) };
  return [
    step,
    { ...shared, operation: `query${name}`, body },
    { ...shared, operation: `count${name}`, ...(where ? { query: { where } } : {}) },
  ];
}

function requestOf({ path, query, headers, body }: Step, kept: Record<string, string>): ExampleRequest {
  return JSON.parse(JSON.stringify({ path, query, headers, body }), (_key, value) => {
    if (typeof value !== 'string' || !value.startsWith('$')) return value;
    expect(Object.keys(kept)).toContain(value.slice(1));
    return kept[value.slice(1)];
  });
}

function valueAt(answer: unknown, path: string): string {
  let value = answer;
  for (const name of path.split('.')) value = (value as Record<string, unknown>)[name];
  return String(value).replace(/^.*\//, '');
}
