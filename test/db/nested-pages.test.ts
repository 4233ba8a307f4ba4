import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { listEvents } from '../../src/domain/event/event.ts';
import { Subscription } from '../../src/domain/subscription/subscription.entity.ts';
import { subscriptionColumns, subscriptionResource } from '../../src/domain/subscription/subscription.resource.ts';
import {
  nestedSubscriptions,
  type SubscriptionListInput,
  subscriptionPageLoader,
} from '../../src/domain/subscription/subscription.ts';
import { userLoader } from '../../src/domain/user/user.ts';
import { Loaders, type MemberContext } from '../../src/engine/context.ts';
import { CursorCodec } from '../../src/engine/cursor.ts';
import { everything } from '../../src/engine/list/condition.ts';
import type { Paging } from '../../src/engine/list/list.ts';
import { itemCursor } from '../../src/engine/list/page.ts';
import { parseWhere } from '../../src/engine/list/where.ts';
import { restDialect } from '../../src/rest/server/list-query.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertEvent, insertMember, insertUser } from '../support/fixtures.ts';
import { shared } from '../support/shared.ts';

const ids = { organization: '', manager: '', member: '', events: [] as string[] };

const texts = fc.string({ unit: 'binary', minLength: 1 }).map((text) => text.replaceAll('\0', '') || 'x');
const values = fc.record({
  name: texts,
  answers: fc.option(
    fc.dictionary(
      texts,
      fc.jsonValue().filter((each) => !JSON.stringify(each).includes('\\u0000')),
    ),
  ),
  checked_in_at: fc.option(
    fc
      .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  ),
  // many at the same moment
  created_at: fc.constantFrom(...['00.000', '00.100', '00.120', '59.999'].map((end) => `2026-01-01T00:00:${end}Z`)),
});

const database = await shared(createTestDatabase());
const { orm } = database;
const manager = await insertMember(orm, { role: 'manager', password: null });
const member = await insertMember(orm, { organizationId: manager.organizationId, password: null });
Object.assign(ids, { organization: manager.organizationId, manager: manager.id, member: member.id });
for (const count of [0, 1, 9, 30]) {
  const { id: event } = await insertEvent(orm, { organizationId: ids.organization, status: 1 });
  ids.events.push(event);
  for (const { name, answers, ...times } of fc.sample(values, { numRuns: count, seed: count })) {
    const { id: user } = await insertUser(orm, { name: name.slice(0, 200), password: null });
    const row = { id: randomUUIDv7(), event_id: event, answers, ...times, status: 'accepted' as const };
    const updated_at = new Date().toISOString();
    const holder = { user_id: count === 1 ? ids.member : user, organization_id: ids.organization };
    await orm.em.fork().insert(Subscription, { ...row, ...holder, updated_at });
  }
}

function context(role: 'manager' | 'member'): MemberContext {
  const ctx = {
    db: new PostgresDatabase(database.orm),
    services: { cursors: new CursorCodec(['only for the cursors of these pages']) },
    viewer: { userId: ids[role], sessionId: '' },
    membership: { organizationId: ids.organization, role },
    now: new Date(),
  } as unknown as MemberContext;
  ctx.loaders = new Loaders();
  return ctx;
}

/** The page of each event, with the cursors and users of its items. */
async function pagesOf(ctx: MemberContext, input: SubscriptionListInput) {
  return await Promise.all(
    ids.events.map(async (id) => {
      const page = await subscriptionPageLoader(ctx, input).load(id);
      if (!page) throw new Error('no page');
      const users = await Promise.all(
        page.items.map((row) => userLoader(ctx, input.userColumns ?? []).load(row.user_id)),
      );
      const { hasNext, hasPrevious } = page;
      const items = page.items.map((row) => ({ ...row, _parent: id }));
      return {
        items,
        hasNext,
        hasPrevious,
        users,
        cursors: input.cursors ? page.items.map((row) => itemCursor(page, row)) : [],
      };
    }),
  );
}

const relay = { by: 'bounds', anchor: 'start', direction: 1, size: 50, after: null, before: null } satisfies Paging;

it.each<[string, Partial<SubscriptionListInput>]>([
  ['all', {}],
  ['the first', { paging: { ...relay, size: 8 } }],
  ['the last', { paging: { ...relay, anchor: 'end', size: 9 } }],
  ['none', { paging: { ...relay, size: 0 } }],
  ['some columns', { columns: ['form_version', 'user_id'], cursors: false, userColumns: ['id', 'name', 'email'] }],
  ['no flags', { flags: false, paging: { ...relay, size: 3 } }],
  ['by a filter', { where: parseWhere(subscriptionResource, { checked_in_at: { $ne: null } }, restDialect) }],
])('a page that comes with its event is the one that is read by itself: %s', async (_title, part) => {
  const columns = subscriptionColumns.filter((name) => name !== 'answers');
  const input = {
    where: everything,
    columns,
    paging: relay,
    cursors: true,
    flags: true,
    userColumns: ['id', 'name'],
    ...part,
  };
  for (const role of ['manager', 'member'] as const) {
    const [alone, along] = [context(role), context(role)];
    const nested = nestedSubscriptions(along, input, subscriptionPageLoader(along, input));
    expect((await listEvents(along, { where: everything, columns: [], paging: relay, nested })).items).toHaveLength(
      ids.events.length,
    );
    // the pages are there already, and so are the users
    const pages = ids.events.map((id) => subscriptionPageLoader(along, input).find(id));
    expect(pages.some((each) => each instanceof Promise)).toBe(false);
    expect(await pagesOf(along, input)).toEqual(await pagesOf(alone, input));
  }
});

it('with answers, which may be large, a page does not come with its event: it would arrive as one value', async () => {
  const ctx = context('manager');
  const input = { where: everything, columns: subscriptionColumns, paging: relay };
  expect(nestedSubscriptions(ctx, input, subscriptionPageLoader(ctx, input))).toBeNull();
});
