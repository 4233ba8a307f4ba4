import { readFile, writeFile } from 'node:fs/promises';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, type GraphQLObjectType, introspectionFromSchema, isInterfaceType, isObjectType } from 'graphql';
import openapiTS, { astToString } from 'openapi-typescript';
import { withTypedQueries } from './typed-queries.ts';

// npm run print: writes the types of both APIs, from the documents that the service commits.

const root = new URL('../../', import.meta.url);
const header = '/** Made by `npm run print`; not written by hand. */\n';

export async function restTypes(): Promise<string> {
  const text = await readFile(new URL('openapi.json', root), 'utf8');
  // the examples would be a third of the types
  const document = JSON.parse(text, (key, value) => (key === 'example' ? undefined : value));
  return header + astToString(await openapiTS(withTypedQueries(document) as never, { defaultNonNullable: false }));
}

export async function graphqlTypes(): Promise<string> {
  const schema = buildSchema(await readFile(new URL('schema.graphql', root), 'utf8'));
  const introspection = minifyIntrospection(introspectionFromSchema(schema));
  const text = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
  // as a module of a package: without the global declaration that gql.tada makes for an application
  return header + text.slice(0, text.indexOf('import * as gqlTada')).replaceAll('\t', '  ');
}

/** What caches have to know of the schema: interfaces, connections, and the types that are no nodes. */
export async function schemaFacts(): Promise<string> {
  const schema = buildSchema(await readFile(new URL('schema.graphql', root), 'utf8'));
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const objects = types.filter(isObjectType);
  const possible = types
    .filter(isInterfaceType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]);
  const pagesOf = (type: GraphQLObjectType) =>
    Object.values(type.getFields()).filter((field) => field.args.some(({ name }) => name === 'before'));
  const connections = objects.flatMap((type) => {
    const names = pagesOf(type).map(({ name }) => name);
    return names.length > 0 ? [[type.name, names]] : [];
  });
  const roots = ['Query', 'Mutation', 'Subscription'];
  const embedded = objects.filter((type) => !type.getFields().id && !roots.includes(type.name)).map(({ name }) => name);
  const constant = (name: string, comment: string, type: string, value: unknown) =>
    `\n/** ${comment} */\nexport const ${name}: ${type} = ${JSON.stringify(value, null, 2)};\n`;
  return (
    header +
    constant(
      'possibleTypes',
      'The types of each interface.',
      'Record<string, string[]>',
      Object.fromEntries(possible),
    ) +
    constant(
      'connections',
      'The connections of each type.',
      'Record<string, string[]>',
      Object.fromEntries(connections),
    ) +
    constant('embedded', 'The types without an id.', 'string[]', [...embedded, 'Change'])
  );
}

if (import.meta.main) {
  await writeFile(new URL('src/rest-types.ts', import.meta.url), await restTypes());
  await writeFile(new URL('src/graphql-types.ts', import.meta.url), await graphqlTypes());
  await writeFile(new URL('src/schema-facts.ts', import.meta.url), await schemaFacts());
}
