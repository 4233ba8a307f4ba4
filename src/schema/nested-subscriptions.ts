import { type GraphQLResolveInfo, getArgumentValues } from 'graphql';
import { nestedJson } from '../domain/list/list.sql.ts';
import type { NestedSubscriptions } from '../domain/subscription/nested-subscriptions.ts';
import { subscriptionResource } from '../domain/subscription/subscription.resource.ts';
import { type ListArguments, listArguments } from './list-arguments.ts';
import { pageJson } from './row-json.ts';
import type { Selection } from './selection.ts';
import type { CompiledInfo } from './writer.ts';

/**
 * The page of subscriptions that events are to be read with: where a compiled query asks for one of each event, from an
 * end of the list, and only for items that the database can write. Otherwise null; the field then reads it.
 *
 * @param events what is selected of each event
 * @throws DomainError INVALID_QUERY, as the field would
 */
export function subscriptionsAlong(
  { variableValues, selection }: GraphQLResolveInfo & CompiledInfo,
  events: Selection | null | undefined,
): NestedSubscriptions | null {
  if (!selection || !events) return null;
  const below = events.only('subscriptions');
  const page = below && pageJson(below);
  const field = events.type.getFields().subscriptions;
  const [node] = events.nodesOf('subscriptions');
  if (!page || !field || !node) return null;
  const args: ListArguments = getArgumentValues(field, node, variableValues);
  if (args.after || args.before) return null;
  const { where, paging } = listArguments(subscriptionResource, args, 1);
  return { where, from: paging.from, size: paging.size, json: page.item };
}

/** The page that an event was read with, as the connection that was selected; null where there is none. */
export function writtenSubscriptions(event: object, { selection }: CompiledInfo): { _json: string } | null {
  const items = nestedJson(event);
  const page = selection && pageJson(selection);
  return page && items !== undefined ? { _json: `{"${page.key}":[${items}]}` } : null;
}
