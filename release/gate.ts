import { buildSchema, isObjectType } from 'graphql';
import type { Break } from './break.ts';
import { graphqlBreaks } from './graphql-breaks.ts';
import { type Json, restBreaks } from './rest-breaks.ts';

/** What is published of one version. */
export interface Published {
  openapi: Json;
  schema: string;
}

/** What a release after `before` may not contain, in words: the gate is open if there is nothing (note 0069). */
export async function contractFaults(
  before: Published,
  after: Published,
  unreleased: string,
  today: string,
): Promise<string[]> {
  const rest = restBreaks(before.openapi, after.openapi);
  const graphql = await graphqlBreaks(before.schema, after.schema);
  return [
    ...[...rest, ...graphql].flatMap((each) => faultsOf(each, unreleased, today)),
    ...oneSided(rest, graphql, before),
  ];
}

function faultsOf({ face, name, what, removal, sunset }: Break, unreleased: string, today: string): string[] {
  const lines = unreleased.split('\n').filter((line) => /^\s*- \*\*Breaking\*\*/.test(line));
  const isNamed = lines.some((line) => line.includes(`\`${name}\``));
  return [
    ...(isNamed ? [] : [`${face}: ${what}. No line "- **Breaking** … \`${name}\`" of the changelog names it.`]),
    ...(!removal || (sunset !== null && sunset < today)
      ? []
      : [`${face}: \`${name}\` is removed, but ${sunset ? `promised until ${sunset}` : 'was not deprecated'}.`]),
  ];
}

/** The nouns whose types are not named like their schemas in REST. */
const typeNames: Record<string, string> = {
  Member: 'Membership',
  Subscription: 'EventSubscription',
  SubscriptionChange: 'EventSubscriptionChange',
};

/** The fields of nouns that break on one face although the other keeps them. */
function oneSided(rest: readonly Break[], graphql: readonly Break[], before: Published): string[] {
  const twins = new Set(fieldTwins(before));
  const inRest = new Set(rest.flatMap(({ field }) => (field ? [graphqlName(field)] : [])));
  const inGraphql = new Set(graphql.flatMap(({ field }) => (field ? [field] : [])));
  const only = (face: string, names: string[]) =>
    names
      .filter((name) => twins.has(name))
      .map((name) => `\`${name}\` breaks in ${face} alone: both faces show a noun's field alike.`);
  return [
    ...only(
      'REST',
      [...inRest].filter((name) => !inGraphql.has(name)),
    ),
    ...only(
      'GraphQL',
      [...inGraphql].filter((name) => !inRest.has(name)),
    ),
  ];
}

/** The fields that both faces have, under the names of GraphQL. */
function fieldTwins({ openapi, schema }: Published): string[] {
  const types = buildSchema(schema);
  const { schemas } = openapi.components as { schemas: Record<string, { properties?: Json }> };
  return Object.entries(schemas).flatMap(([noun, { properties = {} }]) =>
    Object.keys(properties)
      .map((property) => graphqlName(`${noun}.${property}`))
      .filter((name) => {
        const [typeName = '', field = ''] = name.split('.');
        const type = types.getType(typeName);
        return isObjectType(type) && field in type.getFields();
      }),
  );
}

function graphqlName(name: string): string {
  const [noun = '', property = ''] = name.split('.');
  const field = property === 'id' ? 'databaseId' : property.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return `${typeNames[noun] ?? noun}.${field}`;
}
