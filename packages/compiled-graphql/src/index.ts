export { type AnswerBounds, type CompiledQuery, compileOperation } from './compile.ts';
export { fragmentsOf, isPlain } from './document.ts';
export type { PlannedInfo, Relation, SelectionSource } from './selection.ts';
export { answerColumns, planOnce, possibleTypes, rootSelection, Selection } from './selection.ts';
export { WrittenAnswer } from './written-answer.ts';
export { useCompiledQueries } from './yoga-plugin.ts';
