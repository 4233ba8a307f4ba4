export { createProgress, type Progress } from './progress.ts';
export { type CommandLine, runCommandLine } from './run.ts';
export {
  done,
  type Given,
  listVerb,
  type Nouns,
  readId,
  readText,
  rowVerb,
  UsageError,
  type Verb,
  verb,
} from './verb.ts';
