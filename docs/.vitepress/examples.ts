import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');
const read = <T>(file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as T;

interface Operation {
  operationId: string;
  'x-codeSamples': { label: string; source: string }[];
}

const { paths } = read<{ paths: Record<string, Record<string, Operation>> }>('openapi.json');
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
const responses = read<Record<string, { response: unknown }>>('src/rest/recorded-examples.json');
const graphql = read<Record<string, { document: string; response: unknown }>>('docs/.vitepress/graphql-examples.json');

/**
 * A page with the recorded examples that it names between its markers: `<!-- example listEvents events -->`, with the
 * operation of REST and the name in GraphQL, either of which may be `-`, up to `<!-- /example -->`.
 */
export function withExamples(page: string): string {
  return page.replace(
    /(<!-- example (\S+) (\S+) -->\n)[\s\S]*?(<!-- \/example -->)/g,
    (_, begin: string, rest: string, field: string, end: string) =>
      `${begin}\n${[...restExample(rest), ...graphqlExample(field)].join('\n\n')}\n\n${end}`,
  );
}

function restExample(operationId: string): string[] {
  if (operationId === '-') return [];
  const operation = operations.find((each) => each.operationId === operationId);
  const sample = operation?.['x-codeSamples'].find(({ label }) => label === 'curl');
  if (!sample) throw new Error(`There is no operation ${operationId}.`);
  const { response } = responses[operationId] ?? {};
  return [
    block('sh', sample.source),
    typeof response === 'string' ? block('text', response.trim().replaceAll('\r', '')) : json(response),
  ];
}

function graphqlExample(name: string): string[] {
  if (name === '-') return [];
  const example = graphql[name];
  if (!example) throw new Error(`There is no example ${name}.`);
  return ['In GraphQL:', block('graphql', example.document), json(example.response)];
}

/** As Biome formats it. */
const json = (value: unknown) =>
  block('json', JSON.stringify(value, null, 2).replace(/\[\s+("[^"]*"|\d+)\s+\]/g, '[$1]'));
const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
