import { readFileSync } from 'node:fs';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { defineConfig } from 'vite';
import { exampleConfig } from '../shared/vite.ts';

/** Graphcache matches fragments by the schema; without it, it guesses. */
const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const introspection = introspectionFromSchema(schema, { descriptions: false });

export default defineConfig({ ...exampleConfig(5173), define: { __SCHEMA__: JSON.stringify(introspection) } });
