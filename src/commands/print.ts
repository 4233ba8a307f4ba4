import { writeFile } from 'node:fs/promises';
import { printedSchema } from '../schema/server/print.ts';
import { printedOpenapi } from './printed-openapi.ts';

/** Writes the two published descriptions of the service; a test fails if they are out of date. */
await writeFile(new URL('../../openapi.json', import.meta.url), printedOpenapi());
await writeFile(new URL('../../schema.graphql', import.meta.url), printedSchema());
