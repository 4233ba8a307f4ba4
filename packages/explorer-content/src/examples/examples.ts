import type { Example } from 'graphiql-and-reference';
import { guestExamples } from './guest-examples.ts';
import { managerExamples } from './manager-examples.ts';
import { memberExamples } from './member-examples.ts';

/** An example for the demo account of a role; a guest needs none. */
interface RoleExample extends Example {
  role: 'member' | 'manager' | 'guest';
}

/** The tabs shown at the first visit. */
export const examples: readonly RoleExample[] = [
  ...memberExamples.map((each) => ({ ...each, role: 'member' as const })),
  ...managerExamples.map((each) => ({ ...each, role: 'manager' as const })),
  ...guestExamples.map((each) => ({ ...each, role: 'guest' as const })),
];
