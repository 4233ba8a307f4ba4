export { argumentsOf, type ReadArgument } from './arguments.ts';
export { type DocumentOptions, Documents } from './documents.ts';
export { KnownDocument, KnownOperation, type RootField } from './known-document.ts';
export type { DocumentRules } from './rules.ts';
export { answerColumns, planOnce, Selection } from './selection.ts';
export { WrittenAnswer } from './written-answer.ts';
