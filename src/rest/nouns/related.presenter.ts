import { eventColumns } from '../../domain/event/event.resource.ts';
import { eventLoader } from '../../domain/event/event.ts';
import { relatedUserColumns, userLoader } from '../../domain/user/user.ts';
import type { MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { pick } from '../../kernel/objects.ts';

/** Read even if `fields` omits them. */
function relationColumns(include: readonly string[]): string[] {
  return include.map((relation) => `${relation}_id`);
}

/** Each relation costs at most one statement, whatever the page size. */
async function presentRelated(
  ctx: MemberContext,
  rows: readonly { user_id: string; event_id?: string }[],
  fields: readonly string[],
  include: readonly string[],
): Promise<Record<string, unknown>[]> {
  const userFields = relatedUserColumns(ctx);
  const users = include.includes('user') ? userLoader(ctx, userFields) : null;
  const events = include.includes('event') ? eventLoader(ctx, eventColumns) : null;
  const [foundUsers, foundEvents] = await Promise.all([
    users && findAll(rows.map((row) => users.find(row.user_id))),
    events && findAll(rows.map((row) => events.load(row.event_id as string))),
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

/** Without promises if all values are loaded, as on a page that was read with its users. */
function findAll<Value>(values: readonly (Value | Promise<Value>)[]): readonly Value[] | Promise<Value[]> {
  return values.some((each) => each instanceof Promise) ? Promise.all(values) : (values as Value[]);
}

/** How a list shows the users and events of its rows. */
export const related = { relationColumns, present: presentRelated };
