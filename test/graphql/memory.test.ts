import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type GraphQLError, validateExecutionArgs } from 'graphql';
import { expect, it } from 'vitest';
import { Documents } from '#compiled-graphql';
import { documentRules } from '../../src/schema/execution/operation.ts';
import { schema } from '../../src/schema/schema.ts';

/** A document of a few hundred characters that is allowed to ask for thousands of nodes. */
function costlyDocument(comment: number): string {
  const aliases = [2, 2, 2, 2, 2, 2, 2, 1];
  const fragments = aliases.map((count, level) => {
    const [type, field] = level % 2 === 0 ? ['Event', 'viewerSubscription'] : ['EventSubscription', 'event'];
    const below = level === aliases.length - 1 ? '__typename' : `...L${level + 1}`;
    const names = Array.from({ length: count }, (_, index) => `a${index}: ${field} { ${below} }`);
    return `fragment L${level} on ${type} { ${field} { ${below} } ${names.join(' ')} }`;
  });
  return `# ${comment}\n{ event(id: "nonsense") { ...L0 } }\n${fragments.join('\n')}`;
}

function collectGarbage(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  return process.memoryUsage().heapUsed;
}

it('of many costly documents little is remembered', () => {
  const documents = new Documents(schema, documentRules);
  const measure = (comment: number): number | GraphQLError => {
    const source = costlyDocument(comment);
    const document = documents.parse(source);
    expect(documents.validate(document)).toEqual([]);
    const operation = document.operation(undefined);
    const args = validateExecutionArgs({ schema, document });
    if (!operation || !('schema' in args)) throw new Error('the document is valid');
    documents.remember(document, { query: source, documentId: null });
    return operation.cost(args.variableValues);
  };
  expect(measure(0)).toBe(7_654);
  const before = collectGarbage();
  const count = 30;
  for (let index = 1; index <= count; index += 1) expect(measure(index)).toBe(7_654);
  // in MB for each; it was six when what a document selects was kept with it
  expect((collectGarbage() - before) / count / 1e6).toBeLessThan(1);
});
