import sql, { raw } from 'sql-template-tag';
import type { MemberContext } from '../context.ts';
import { conditionSql } from '../list/condition.sql.ts';
import { type Condition, isEverything } from '../list/condition.ts';
import type { JsonShape } from '../list/json-shape.ts';
import { type NestedPage, orderBy } from '../list/list.sql.ts';
import { visibleSubscriptions } from './subscription.policy.ts';
import { subscriptionResource } from './subscription.resource.ts';

/** The page of subscriptions that each of several events is to be read with, as JSON; without cursors and flags. */
export interface NestedSubscriptions {
  where: Condition;
  /** From which end of the order, oldest first, it is taken; it is listed oldest first anyway. */
  from: 'start' | 'end';
  size: number;
  json: JsonShape;
}

/** The join that reads it along with its event, which the viewer must be known to see. */
export function nestedSubscriptions(ctx: MemberContext, { where, from, size, json }: NestedSubscriptions): NestedPage {
  const { order } = subscriptionResource;
  const columns = [...new Set(['id', order, ...json.columns])].map((name) => `t.${name}`).join(', ');
  const join = sql`
    left join lateral (
      select coalesce(string_agg(coalesce(${raw(json.sql.nested)}, E'\\x01'), ',' ${orderBy('nested', order, 1)}), '') as _nested
      from (select ${raw(columns)} from subscription t
        where t.event_id = page.id and ${visibleSubscriptions(ctx)} and ${conditionSql(subscriptionResource, where, ctx.now)}
        ${orderBy('t', order, from === 'start' ? 1 : -1)} ${raw(`limit ${size}`)}) nested
      ${raw(json.user ? 'left join "user" u on u.id = nested.user_id' : '')}
    ) along on true`;
  return { join, prepared: isEverything(where) };
}
