export { codeLiteral } from './code-literal.ts';
export { clientCall, curlLine } from './code-samples.ts';
