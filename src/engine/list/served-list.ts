import { type RawBuilder, sql } from 'kysely';
import { parseUuid } from '#input-values';
import { DomainError } from '../../kernel/errors.ts';
import { hasRole, isAllowedKey, type KeyPermission, type OrganizationRole, requireRole } from '../../kernel/request.ts';
import {
  type Context,
  type Loader,
  type MemberContext,
  rowLoader,
  type ViewerContext,
  withMembership,
  withPerson,
  withViewer,
} from '../context.ts';
import type { Condition } from './condition.ts';
import type { Count } from './count.ts';
import { findOwnRows, type ListInput, readOwnCount, readOwnPage } from './list.ts';
import type { Page } from './page.ts';
import type { ListDefinition, ListResource, MemberScope } from './resource.ts';

/** A list as both APIs serve it: they check the role first, then parse the input. */
export interface ServedList<C extends Context, Row> {
  resource: ListResource;
  /** The minimum role in the organization to read it; without one, `visible` alone decides. */
  role?: OrganizationRole;
  /** The permission with which keys may read it, whatever their role. */
  keys?: KeyPermission;
  /** @throws DomainError FORBIDDEN, INVALID_CURSOR */
  list(ctx: C, input: ListInput): Promise<Page<Row>>;
  /** Counts up to `max` items, if given. @throws DomainError FORBIDDEN */
  count(ctx: C, where: Condition, max?: number): Promise<Count>;
}

/** A noun as both APIs serve it: its list, a single row, and rows by id. */
export interface ServedNoun<C extends ViewerContext, Row> extends ServedList<C, Row> {
  access: C extends MemberContext ? 'organization' : 'user';
  /** Rows by their ids; null for one that is not in the list. */
  loader(ctx: Context, columns: readonly string[]): Loader<Row | null>;
  /** @throws DomainError NOT_FOUND if it is unknown or not visible to the viewer */
  get(ctx: C, id: string, columns: readonly string[]): Promise<Row>;
}

interface NounDefinition extends ListDefinition {
  /** The minimum role in the organization to read the rows, as a list or by id; any member by default. */
  role?: OrganizationRole;
  /** As in {@link ServedList}. */
  keys?: KeyPermission;
}

interface ViewerNoun extends NounDefinition {
  role?: never;
  /** Whether only people have such rows; an API key gets FORBIDDEN. */
  people?: boolean;
}

/** Its `visible` restricts the rows of the organization further; it gets a {@link MemberScope}. */
interface MemberNoun extends NounDefinition {
  visible?(at: MemberScope): RawBuilder<boolean>;
}

/** A noun whose rows belong to users, regardless of the organization. */
export function serveToViewer<Row extends { id: string }>(noun: ViewerNoun): ServedNoun<ViewerContext, Row> {
  return { access: 'user', ...serve<ViewerContext, Row>(noun, noun, ({ viewer }) => viewer.userId, withViewer) };
}

/** A noun whose rows belong to organizations. */
export function serveToMembers<Row extends { id: string }>(noun: MemberNoun): ServedNoun<MemberContext, Row> {
  const list: ListDefinition = {
    ...noun,
    visible(at) {
      const own = sql<boolean>`t.organization_id = ${at.owner}::uuid`;
      return noun.visible ? sql`${own} and ${noun.visible(at as MemberScope)}` : own;
    },
  };
  const served = serve<MemberContext, Row>(noun, list, ({ membership }) => membership.organizationId, withMembership);
  return { access: 'organization', ...served };
}

function serve<C extends ViewerContext, Row extends { id: string }>(
  { resource, role, keys, people }: NounDefinition & { people?: boolean },
  list: ListDefinition,
  ownerOf: (ctx: C) => string,
  scoped: (ctx: Context) => C,
): Omit<ServedNoun<C, Row>, 'access'> {
  const own = (ctx: C) => ({ list, owner: ownerOf(ctx) });
  const requireReader = (ctx: C) => {
    if (people) withPerson(ctx);
    if (role) requireRole(ctx, role, keys);
  };
  const readable = (ctx: C) => {
    requireReader(ctx);
    const within = scoped(ctx);
    return [within, own(within)] as const;
  };
  const find = async (ctx: C, ids: readonly string[], columns: readonly string[]) => {
    if (people && ctx.viewer.key) return [];
    const mayRead = !role || isAllowedKey(ctx, keys) || (ctx.membership && hasRole(ctx.membership.role, role));
    if (!mayRead) return [];
    return await findOwnRows<Row>(ctx, own(ctx), ids, columns);
  };
  const loader = (ctx: Context, columns: readonly string[]) =>
    rowLoader<Row>(ctx, `${resource.name} ${columns.join()}`, (ids) => find(scoped(ctx), ids, columns));
  return {
    resource,
    ...(role ? { role } : {}),
    ...(keys ? { keys } : {}),
    list: async (ctx, input) => await readOwnPage<Row>(...readable(ctx), input),
    count: async (ctx, where, max) => await readOwnCount(...readable(ctx), where, max),
    loader,
    get: async (ctx, id, columns) => {
      requireReader(ctx);
      const uuid = parseUuid(id);
      const row = uuid ? await loader(ctx, columns).load(uuid) : null;
      if (!row) throw new DomainError('NOT_FOUND');
      return row;
    },
  };
}
