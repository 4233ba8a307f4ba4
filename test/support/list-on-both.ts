import { expect } from 'vitest';
import { type Asker, connectionPage, restCount, restGet, restPage, toGraphqlWhere, type Where } from './faces.ts';
import { enumsOf, type List } from './lists.ts';
import type { OracleRow } from './oracle.ts';
import { type Answer, type Page, send } from './send.ts';

/** A page of the list in GraphQL, by a filter of REST. */
export const relayPage = (asker: Asker, list: List, where: Where, paging: Record<string, unknown> = {}) =>
  connectionPage(asker, list, { where: toGraphqlWhere(where, enumsOf(list.resource)), ...paging });

/**
 * Checks that both APIs show these items under a filter, from page to page: in walks whose cursors come from either API by
 * turns, back from the second page, in the opposite order, by a query in a body, and in exact and capped counts.
 */
export async function expectItems(asker: Asker, list: List, where: Where, ids: string[], size = 9) {
  const { path } = list;
  for (const start of [0, 1]) {
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let turn = start; turn === start || cursor !== null; turn += 1) {
      const rest = await restPage(asker, path, { where, limit: size, token: cursor });
      const relay = await relayPage(asker, list, where, { first: size, after: cursor });
      expect([rest.code, relay.code]).toEqual([null, null]);
      const { hasNext, next } = rest.value;
      expect(rest.value.hasPrevious).toBe(seen.length > 0);
      const shared = { ids: rest.value.ids, hasNext, hasPrevious: seen.length > 0, total: ids.length };
      expect(relay.value).toMatchObject(hasNext ? { ...shared, next } : shared);
      if (seen.length === size) {
        const back = await relayPage(asker, list, where, { last: size, before: rest.value.previous });
        expect(back.value.ids).toEqual(seen);
        const turned = await restPage(asker, path, { where, limit: size, token: rest.value.previous, sort: -1 });
        expect(turned.value.ids).toEqual(seen.toReversed());
      }
      seen.push(...rest.value.ids);
      cursor = hasNext ? (turn % 2 === 0 ? next : relay.value.next) : null;
    }
    expect(seen).toEqual(ids);
  }
  const descending = ids.toReversed().slice(0, 50);
  expect((await restPage(asker, path, { where, sort: -1 })).value.ids).toEqual(descending);
  const posted = await send<Page>(asker, asker, `POST ${path}/query`, { where, sort: -1, fields: 'id' });
  expect(posted.body.items).toEqual(descending.map((id) => ({ id })));
  expect((await restGet(asker, `${path}/count`, { where })).body).toBe(ids.length);
  for (const max of [1, ids.length - 1, ids.length].filter((each) => each > 0)) {
    const capped = { value: Math.min(max, ids.length), exact: ids.length <= max };
    expect(await restCount(asker, `${path}/count`, { where, max })).toEqual(capped);
    expect((await relayPage(asker, list, where, { first: 0, max })).value.count).toEqual(capped);
  }
}

/** All items of the list, as REST shows them to its reader. */
export async function everyItem(asker: Asker, { path }: List, where: Where = {}): Promise<OracleRow[]> {
  const rows: OracleRow[] = [];
  let token: string | null = null;
  do {
    const { body }: Answer<Page<OracleRow>> = await restGet(asker, path, { where, token });
    rows.push(...body.items);
    token = body.next;
  } while (token);
  return rows;
}

/** Checks that REST refuses a filter with this pointer. */
export async function expectBadFilter(asker: Asker, path: string, where: Where, pointer: string) {
  const { status, body } = await restGet(asker, path, { where });
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY', errors: [{ pointer }] } });
}
