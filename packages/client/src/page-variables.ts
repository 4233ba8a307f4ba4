/** The cursors of a page, as `pageInfo` has them. */
interface PageInfo {
  startCursor?: string | null;
  endCursor?: string | null;
}

interface PageVariables {
  first: number | null;
  after: string | null;
  last: number | null;
  before: string | null;
  from: null;
}

/** The variables of the page before: the last ones of all if there is no cursor, since nothing is shown. */
export function earlierPage({ startCursor }: PageInfo, size: number): PageVariables {
  return { first: null, after: null, last: size, before: startCursor ?? null, from: null };
}

/** The variables of the page after. */
export function laterPage({ endCursor }: PageInfo, size: number): PageVariables {
  return { first: size, after: endCursor ?? null, last: null, before: null, from: null };
}
