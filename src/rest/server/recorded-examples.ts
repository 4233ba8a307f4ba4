import { readFileSync } from 'node:fs';

/** A request of an operation, as an example. */
export interface ExampleRequest {
  path?: Record<string, string>;
  /** An object stands for its JSON, a list for names separated by a space. */
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A request and what the service answered; what is not JSON is a text. */
export interface RecordedExample extends ExampleRequest {
  response: unknown;
}

/**
 * An example of each operation, by operation id: what a test sent to a service with the demo, and what that answered
 * (note 0077). `npm run record` writes the file anew.
 */
export const recordedExamplesFile = new URL('../recorded-examples.json', import.meta.url);

export function readRecordedExamples(): Readonly<Record<string, RecordedExample>> {
  return JSON.parse(readFileSync(recordedExamplesFile, 'utf8'));
}
