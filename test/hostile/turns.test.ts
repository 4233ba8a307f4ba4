import { describe, expect, it } from 'vitest';
import openapi from '../../openapi.json' with { type: 'json' };
import { bodyLimits } from '../../src/http/incoming.ts';
import { bodyLimit } from '../../src/main/app.ts';
import { bestOf, startWatchedService } from '../support/child-service.ts';
import { guestAddress, guestOf } from '../support/guests.ts';
import { nastyBodies, nastyForms, nastyTexts, nastyValues } from '../support/nasty.ts';
import { everyQuestion, organizer } from '../support/organizer.ts';
import { callerHeaders } from '../support/send.ts';
import { serve, signIn } from '../support/server.ts';

// Whatever a body of the largest size holds, the process answers others meanwhile (reference/limits.md#one-request).

/** Milliseconds of its own processor time that a request may hold the thread, beyond what a harmless one of its size does. */
const longestTurn = 100;

const server = await serve();
const place = await organizer(server);
const event = await place.event();
await place.ask(
  event,
  everyQuestion.map((each) => ({ ...each, required: false })),
);
const guest = guestOf(server, place.organizationId);
const { token: link } = await guest.subscribe(event.id, { email: guestAddress() });
const service = await startWatchedService(server);
const { accessToken } = await signIn(service.url, place.team.owner.email);
const owner = callerHeaders({ accessToken, organizationId: place.organizationId });

type Sent = { what: string; method?: string; path: string; type?: string; body: string };

/** Sends each in turn; those that held the thread for long, in words. */
async function slowOf(requests: Iterable<Sent>): Promise<string[]> {
  const slow: string[] = [];
  const turnOf = async ({ what, method = 'POST', path: target, type = 'application/json', body }: Sent) => {
    const headers = { ...owner, 'content-type': type };
    const response = await fetch(service.url + target, { method, headers, body, redirect: 'manual' });
    await response.arrayBuffer();
    expect(response.status, what).toBeLessThan(500);
    return await service.longestTurn();
  };
  for (const request of requests) {
    const turn = await bestOf(longestTurn, () => turnOf(request));
    if (turn >= longestTurn) slow.push(`${request.what} after ${Math.round(turn)} ms`);
  }
  return slow;
}

type Schema = { $ref?: string; properties?: Record<string, Schema>; allOf?: Schema[] };
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

function propertiesOf(schema: Schema): string[] {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) as string;
    return propertiesOf((openapi.components.schemas as unknown as Record<string, Schema>)[name] as Schema);
  }
  return [...Object.keys(schema.properties ?? {}), ...(schema.allOf ?? []).flatMap(propertiesOf)];
}

const operations = Object.entries(openapi.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
  ([template, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      return schema ? [{ template, method: method.toUpperCase(), fields: propertiesOf(schema) }] : [];
    }),
);

describe.each(operations)('$method $template', ({ template, method, fields }) => {
  it('answers others while it refuses a body, whatever is in it', async () => {
    const target = template.replace('{event}', event.id).replace(/\{\w+\}/, place.team.member.membershipId);
    const size = bodyLimit({ method, headers: {} }, target) - 200;
    const base = target.startsWith('/public/subscriptions/') ? { token: link } : {};
    const requests = function* (): Iterable<Sent> {
      const sent = { method, path: target };
      for (const [what, body] of Object.entries(nastyBodies(size))) yield { ...sent, what, body };
      for (const [what, value] of Object.entries(nastyValues(size))) {
        const inFields = fields.map((field) => ({ field, body: JSON.stringify({ ...base, [field]: value }) }));
        for (const { field, body } of [{ field: 'the body', body: JSON.stringify(value) }, ...inFields]) {
          if (Buffer.byteLength(body) <= size + 200) yield { ...sent, what: `${field} is ${what}`, body };
        }
      }
      if (!fields.includes('answers')) return;
      // a share of a megabyte for each question is enough for what takes more than linear time
      for (const [what, value] of Object.entries(nastyValues(Math.floor(size / everyQuestion.length / 2)))) {
        const answers = Object.fromEntries(everyQuestion.map(({ key }) => [key, value]));
        yield { ...sent, what: `every answer is ${what}`, body: JSON.stringify({ ...base, answers }) };
      }
    };
    expect(await slowOf(requests())).toEqual([]);
  }, 600_000);
});

describe('POST /graphql', () => {
  const graphql = (body: object) => ({ path: '/graphql', body: JSON.stringify(body) });

  it('answers others while it refuses a document, whatever is in it', async () => {
    const size = bodyLimits.large - 200;
    const requests = function* (): Iterable<Sent> {
      for (const [what, body] of Object.entries(nastyBodies(size))) {
        yield { path: '/graphql', what, body };
        if (what !== 'a text that does not end')
          yield { what: `a document is ${what}`, ...graphql({ query: body.replaceAll('"', "'") }) };
      }
      for (const [what, text] of Object.entries(nastyTexts(size / 2))) {
        const json = JSON.stringify(text);
        if (json.length > size / 1.5) continue;
        yield { what: `a document is ${what}`, ...graphql({ query: text }) };
        yield { what: `a text is ${what}`, ...graphql({ query: `{ event(id: ${json}) { id } }` }) };
        yield { what: `an enum is ${what}`, ...graphql({ query: `{ events(orderBy: ${json}) { nodes { id } } }` }) };
      }
      for (const [what, name] of Object.entries({
        long: 'a'.repeat(size),
        'long as well': 'events_'.repeat(size / 8),
      })) {
        yield { what: `a ${what} field`, ...graphql({ query: `{ ${name} }` }) };
        yield { what: `a ${what} argument`, ...graphql({ query: `{ events(${name}: 1) { nodes { id } } }` }) };
      }
    };
    expect(await slowOf(requests())).toEqual([]);
  }, 600_000);

  it('answers others while it refuses variables, whatever is in them', async () => {
    const size = bodyLimits.large - 1_000;
    const mutations = {
      setEventForm: ['SetEventFormInput', { eventId: event.id }, 'questions'],
      subscribeToEvent: ['SubscribeToEventInput', { eventId: event.id }, 'answers'],
    } as const;
    const requests = function* (): Iterable<Sent> {
      for (const [name, [type, others, field]] of Object.entries(mutations)) {
        const query = `mutation ($input: ${type}!) { ${name}(input: $input) { clientMutationId } }`;
        for (const [what, value] of Object.entries(nastyValues(size))) {
          for (const input of [{ ...others, [field]: value }, value, { ...others, clientMutationId: value }]) {
            const sent = graphql({ query, variables: { input } });
            if (Buffer.byteLength(sent.body) < bodyLimits.large) yield { what: `${name} with ${what}`, ...sent };
          }
        }
      }
    };
    expect(await slowOf(requests())).toEqual([]);
  }, 600_000);
});

describe('the pages', () => {
  const type = 'application/x-www-form-urlencoded';
  const pages = ['the event', 'the subscription', 'the confirmation'];
  it.each(pages)('answer others while %s refuses a form, whatever is in it', { timeout: 600_000 }, async (page) => {
    const target =
      { 'the event': place.pathOf(event), 'the subscription': '/my-subscription' }[page] ?? '/confirm-subscription';
    const size = (page === 'the confirmation' ? bodyLimits.usual : bodyLimits.large) - 400;
    const base: Record<string, string> =
      page === 'the event' ? { form_version: '1' } : { token: link, do: 'answer', form_version: '1' };
    const names = ['name', 'email', 'token', 'do', 'form_version', ...everyQuestion.map(({ key }) => `answers.${key}`)];
    const requests = function* (): Iterable<Sent> {
      const sent = { path: target, type };
      for (const [what, body] of Object.entries(nastyForms(size))) {
        yield { ...sent, what, body };
        yield { ...sent, what: `${what} beside fields`, body: `${new URLSearchParams(base)}&${body}` };
      }
      for (const [what, text] of Object.entries(nastyTexts(Math.floor(size / names.length / 3)))) {
        const all = names.map((name): [string, string] => [name, base[name] ?? text]);
        yield { ...sent, what: `every field is ${what}`, body: new URLSearchParams(all).toString() };
      }
      for (const name of names) {
        const others = new URLSearchParams(Object.entries(base).filter(([each]) => each !== name));
        yield { ...sent, what: `${name} is long`, body: `${others}&${name}=${'1'.repeat(size - 300)}` };
      }
    };
    expect(await slowOf(requests())).toEqual([]);
  });
});
