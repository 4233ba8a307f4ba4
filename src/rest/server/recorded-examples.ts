import { readFileSync } from 'node:fs';

export interface ExampleRequest {
  path?: Record<string, string>;
  /** An object stands for its JSON, a list for names separated by a space. */
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: unknown;
}

/** `response` is a text if it is not JSON. */
export interface RecordedExample extends ExampleRequest {
  response: unknown;
}

/** By operation id: what a test sent to a demo service, and its response (note 0077). `npm run record` writes it. */
export const recordedExamplesFile = new URL('../recorded-examples.json', import.meta.url);

export function readRecordedExamples(): Readonly<Record<string, RecordedExample>> {
  return JSON.parse(readFileSync(recordedExamplesFile, 'utf8'));
}
