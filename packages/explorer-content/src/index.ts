export { restRequests } from './as-rest/translate.ts';
export { examples } from './examples/examples.ts';
export type { ListTwin, MutationTwin, RestTwins } from './rest-twins.ts';
