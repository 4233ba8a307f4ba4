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
  return Promise.all(
    rows.map(async (row) => {
      const item = pick(row, fields);
      const [user, event] = await Promise.all([users?.load(row.user_id), events?.load(row.event_id)]);
      if (user) item.user = pick(user, userFields);
      if (event) item.event = event;
      if ((users && !user) || (events && !event)) throw new DomainError('NOT_FOUND');
      return item;
    }),
  );
}
