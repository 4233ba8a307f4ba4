import type { FieldCost } from '../builder/field-extensions.ts';
import { type PageArguments, pageSize } from './list-arguments.ts';

export const oneNode: FieldCost = () => 1;
export const pageOfNodes: FieldCost = (argument) =>
  pageSize({ first: argument('first'), last: argument('last') } as PageArguments);
/** Without pages; counted like one. */
export const shortList: FieldCost = () => pageSize({});
