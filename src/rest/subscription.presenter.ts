import type { MemberContext } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import { isManager } from '../domain/event/event.policy.ts';
import { eventColumns } from '../domain/event/event.resource.ts';
import type { SubscriptionRow } from '../domain/subscription/subscription.resource.ts';
import { type UserRow, userColumns } from '../domain/user/user.ts';
import { pick } from './list.presenter.ts';

export const subscriptionRelations = ['user', 'event'] as const;

/** The columns that a relation is reached through; read even where `fields` leaves them out. */
export function relationColumns(include: readonly string[]): string[] {
  return include.map((relation) => `${relation}_id`);
}

/** What is shown of a subscription's user: the address is for managers (decisions §1). */
export function relatedUserFields(ctx: MemberContext): readonly (keyof UserRow)[] {
  return isManager(ctx.membership) ? userColumns : userColumns.filter((name) => name !== 'email');
}

/** Presents subscriptions with their relations; each relation costs one statement at most, whatever the page size. */
export async function presentSubscriptions(
  ctx: MemberContext,
  rows: readonly SubscriptionRow[],
  fields: readonly string[],
  include: readonly string[],
): Promise<Record<string, unknown>[]> {
  const userFields = relatedUserFields(ctx);
  const users = include.includes('user') ? ctx.loaders.user(userFields) : null;
  const events = include.includes('event') ? ctx.loaders.event(eventColumns) : null;
  const [foundUsers, foundEvents] = await Promise.all([
    users && findAll(rows.map((row) => users.find(row.user_id))),
    events && findAll(rows.map((row) => events.load(row.event_id))),
  ]);
  return rows.map((row, index) => {
    const item = pick(row, fields);
    const user = foundUsers?.[index];
    const event = foundEvents?.[index];
    if (user) item.user = user;
    if (event) item.event = event;
    if ((users && !user) || (events && !event)) throw new DomainError('NOT_FOUND');
    return item;
  });
}

/** A page that was read with its users has them all: nothing to wait for. */
function findAll<Value>(found: readonly (Value | Promise<Value>)[]): readonly Value[] | Promise<Value[]> {
  return found.some((each) => each instanceof Promise) ? Promise.all(found) : (found as Value[]);
}
