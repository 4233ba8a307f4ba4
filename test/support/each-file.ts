import { afterEach } from 'vitest';
import { expectNothingFound } from './verdicts.ts';

// Vitest runs this for each test file.
afterEach(expectNothingFound);
