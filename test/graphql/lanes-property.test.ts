import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { WrittenAnswer } from '#compiled-graphql';
import { Executor } from '../../src/schema/server/plugins/executor.ts';
import { serveParityData } from '../parity/data.ts';
import { type Asker, graphql } from '../support/faces.ts';
import { executedOnce } from '../support/lanes.ts';
import { send, withoutId } from '../support/send.ts';
import { type Names, type RandomDocument, randomDocument } from './random-document.ts';

const data = await serveParityData();
const names = await namesOf(data.askers.owner);
/** What the executor answered; those with JSON were compiled. */
const executed = vi.spyOn(Executor.prototype, 'execute');
afterAll(() => executed.mockRestore());

const numbers = fc.array(fc.nat(10_000), { minLength: 5, maxLength: 250, size: 'max' });
/** Also ends the search for the smallest document. */
const bounds = { interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true };
const role = fc.constantFrom('owner' as const, 'manager' as const, 'member' as const);

describe('any query', () => {
  it('answers the same bytes each time, compiled or not', async () => {
    executed.mockClear();
    await fc.assert(
      fc.asyncProperty(numbers, role, async (choices, who) => {
        const document = fresh(randomDocument(choices, names));
        const first = await ask(data.askers[who], document, document.variables);
        for (let again = 0; again < 4; again += 1) {
          expect(await ask(data.askers[who], document, document.variables)).toEqual(first);
        }
      }),
      { numRuns: 120, ...bounds },
    );
    // otherwise it says nothing
    const answers = await Promise.all(executed.mock.results.map(({ value }) => value));
    expect(answers.filter((each) => each instanceof WrittenAnswer).length).toBeGreaterThan(60);
  }, 120_000);

  it('answers each of two viewers the same bytes as before while both ask at once', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, role, async (choices, who) => {
        const document = fresh(randomDocument(choices, names));
        const asks = [
          () => ask(data.askers[who], document, document.variables),
          () => ask(data.askers[who === 'member' ? 'owner' : 'member'], document, document.otherVariables),
          () => ask(data.foreigner, document, document.variables),
        ];
        const first = [];
        for (const each of asks) first.push(await each());
        const again = await Promise.all([...asks, ...asks].map((each) => each()));
        expect(again).toEqual([...first, ...first]);
      }),
      { numRuns: 60, ...bounds },
    );
  }, 120_000);
});

let count = 0;

/** The same as a document that nobody has sent yet. */
function fresh(document: RandomDocument): RandomDocument {
  count += 1;
  return { ...document, query: `# ${count}\n${document.query}` };
}

/** The bytes of an answer but for its time and its id; of errors, what is the same each time. */
async function ask(asker: Asker, { query, operationName }: RandomDocument, variables: Record<string, unknown>) {
  const asked = { query, variables, operationName };
  const accept = { accept: 'application/graphql-response+json' };
  // it is asked several times: nothing is compared twice
  const answer = await executedOnce(() => send(asker, asker, 'POST /graphql', asked, accept));
  const { status, headers, text } = withoutId(answer);
  const body = JSON.parse(text) as Body;
  if (!body.errors) return { query, variables, status, headers, body: text };
  const sent = headers.filter(([name]) => name !== 'content-length');
  return { query, variables, status, headers: sent, body: settled(body) };
}

interface Body {
  data?: unknown;
  errors?: { path?: (string | number)[] }[];
}

/**
 * An answer with errors as far as it does not depend on which of them came first: that is a matter of time, since fields
 * are resolved at once. Of several that take away the same object only the first is told.
 */
function settled({ data: answered, errors = [] }: Body) {
  const inPlace = errors.filter(({ path }) => {
    let place = answered as Record<string | number, never> | null | undefined;
    for (const key of path?.slice(0, -1) ?? []) place = place?.[key];
    return !path || place;
  });
  return { data: answered, errors: inPlace.map((error) => JSON.stringify(error)).sort() };
}

/** Global ids of each type, and cursors of several lists. */
async function namesOf(asker: Asker): Promise<Names> {
  const { data: found } = await graphql(
    asker,
    `{
      viewer { id memberships { id } sessions { nodes { id } } }
      organization { id members { nodes { id user { id } } } auditEntries(first: 2) { nodes { id } } }
      events(first: 4) { edges { cursor node { id } } }
      event(id: "${data.eventId}") { subscriptions(first: 3) { edges { cursor node { id } } } }
    }`,
  );
  const text = JSON.stringify(found);
  const all = (name: string) =>
    [...text.matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].map(([, value]) => value as string);
  return { globalIds: [...new Set(all('id'))], eventIds: [data.eventId, data.draftId], cursors: all('cursor') };
}
