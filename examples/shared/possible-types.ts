/**
 * The types that implement an interface in the documents of the pages: `Change.object` is a `Node`. A cache needs them to
 * know which fragments match.
 */
export const possibleTypes = { Node: ['Event', 'EventSubscription'] };
