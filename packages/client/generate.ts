import { readFile, writeFile } from 'node:fs/promises';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';
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

if (import.meta.main) {
  await writeFile(new URL('src/rest-types.ts', import.meta.url), await restTypes());
  await writeFile(new URL('src/graphql-types.ts', import.meta.url), await graphqlTypes());
}
