import { expect } from 'vitest';
import type { Change } from '../../packages/client/src/index.ts';
import { type Answer, send } from './send.ts';
import type { Person } from './server.ts';

export type { Change };

export interface ChangePage {
  items: Change[];
  length: number;
  has_more: boolean;
  next: string;
  prev: null;
}

/** One page of the log of changes. */
export function changesPage(server: { url: string }, person: Person, query = ''): Promise<Answer<ChangePage>> {
  return send<ChangePage>(server, person, `GET /changes${query === '' ? '' : `?${query}`}`);
}

/** A reader of the log who begins now. */
export async function readerFrom(server: { url: string }, person: Person, { since = 'now', kinds = '' } = {}) {
  const chosen = kinds === '' ? '' : `&kinds=${encodeURIComponent(kinds)}`;
  let query = `since=${since}${chosen}`;
  const page = async () => {
    const answer = await changesPage(server, person, query);
    expect(answer.status, answer.text).toBe(200);
    query = `token=${answer.body.next}${chosen}`;
    return answer.body;
  };
  if (since === 'now') expect((await page()).items).toEqual([]);
  return {
    /** The cursor to read on from. */
    get token() {
      return query.split('&')[0]?.slice('token='.length) ?? '';
    },
    page,
    /** Everything that has come since the last call. */
    rest: async (): Promise<Change[]> => {
      const items: Change[] = [];
      while (true) {
        const next = await page();
        items.push(...next.items);
        if (!next.has_more) return items;
      }
    },
  };
}

/** What a change says besides its own id and time. */
export const told = ({ kind, op, object_id, event_id, version, actor_id }: Change) => ({
  ...{ kind, op, object_id, event_id, version, actor_id },
});
