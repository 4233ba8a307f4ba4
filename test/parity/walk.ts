import { expect } from 'vitest';
import { type Asker, type FacePage, graphqlPage, restPage, toGraphqlWhere, type Where } from '../support/faces.ts';

type Face = 'rest' | 'graphql';
type Direction = 1 | -1;

/** One page of events forwards, by either face. */
export async function eventPage(
  face: Face,
  asker: Asker,
  where: Where,
  direction: Direction,
  size: number,
  cursor: string | null,
) {
  const order = { field: 'DATE_START', direction: direction === 1 ? 'ASC' : 'DESC' };
  const answer =
    face === 'rest'
      ? await restPage(asker, '/events', { where, sort: direction, limit: size, token: cursor })
      : await graphqlPage(asker, { where: toGraphqlWhere(where), orderBy: order, first: size, after: cursor });
  expect(answer.code).toBeNull();
  return answer.value;
}

/** Walks to the end, the face of each page by its number; the pages. */
export async function walk(
  faceOf: (page: number) => Face,
  asker: Asker,
  where: Where,
  direction: Direction,
  size: number,
) {
  const pages: FacePage[] = [];
  let cursor: string | null = null;
  do {
    const page: FacePage = await eventPage(faceOf(pages.length), asker, where, direction, size, cursor);
    expect(page.hasPrevious).toBe(pages.length > 0);
    pages.push(page);
    cursor = page.hasNext ? page.next : null;
  } while (cursor !== null && pages.length < 200);
  return pages;
}

export const ids = (pages: FacePage[]) => pages.flatMap((page) => page.ids);
