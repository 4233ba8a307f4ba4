import { expect } from 'vitest';
import { codeSamples } from '../../../src/rest/server/code-samples.ts';
import type { ExampleRequest, RecordedExample } from '../../../src/rest/server/recorded-examples.ts';
import type { Route } from '../../../src/rest/server/route.ts';
import { mailsTo, tokenOf } from '../mail.ts';
import type { TestServer } from '../server.ts';
import type { Driver } from './drivers.ts';
import type { StableValues } from './stable-values.ts';
import { credentials, type Step, story } from './story.ts';

export const exampleUrl = 'http://localhost:3000';

/**
 * Tells the story by the samples of one kind.
 *
 * @param afterDelivery waits until a webhook has delivered something
 * @returns the examples by operation id, with stable values, in the order of the routes
 */
export async function tellStory(
  server: TestServer,
  driver: Driver,
  { routes, values, afterDelivery }: { routes: Route[]; values: StableValues; afterDelivery(): Promise<void> },
): Promise<Record<string, RecordedExample>> {
  const kept: Record<string, string> = {};
  const examples = new Map<string, RecordedExample>();
  for (const actor of Object.keys(credentials) as (keyof typeof credentials)[]) {
    if (actor !== 'nora') await driver.signIn(actor);
  }
  for (const step of story.flatMap((each) => withTwins(each, routes))) {
    const { operation, keep = {}, mail, thenSignIn } = step;
    const route = routes.find(({ operationId }) => operationId === operation);
    if (!route) throw new Error(`There is no operation ${operation}.`);
    if (mail) {
      const [newest] = (await mailsTo(server, ...mail)).slice(-1);
      kept.mailed = values.stable(tokenOf(newest as { text: string }), 'mail') as string;
    }
    if (step.afterDelivery) await afterDelivery();
    const request = requestOf(step, kept);
    const source = codeSamples(route, request, exampleUrl).find(({ label }) => label === driver.label)?.source ?? '';
    const answer = await driver.run(values.real(source).replaceAll(exampleUrl, server.url), step);
    const response = values.stable(answer ?? null, operation);
    if (!examples.has(operation)) examples.set(operation, { ...request, response });
    for (const [name, path] of Object.entries(keep)) kept[name] = valueAt(response, path);
    if (thenSignIn) await driver.signIn(thenSignIn);
  }
  const order = routes.map(({ operationId }) => operationId);
  return Object.fromEntries([...examples].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}

/** A list, the same by POST, and its count. */
function withTwins(step: Step, routes: Route[]): Step[] {
  const list = routes.find(({ operationId, lists }) => operationId === step.operation && lists);
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
