import type { FieldCost } from '../builder/field-extensions.ts';
import { type PageArguments, pageSize } from './list-arguments.ts';

/** A to-one relation. */
export const oneNode: FieldCost = () => 1;
/** A connection. */
export const pageOfNodes: FieldCost = (argument) =>
  pageSize({ first: argument('first'), last: argument('last') } as PageArguments);
/** A short list without pages; counted like a page. */
export const shortList: FieldCost = () => pageSize({});
