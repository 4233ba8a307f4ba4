export type { ListTwin, MutationTwin, RestTwins } from './rest-twins.ts';
