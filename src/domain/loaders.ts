import DataLoader from 'dataloader';
import type { AuditRow } from './audit/audit.resource.ts';
import { findAuditEntries } from './audit/audit-trail.ts';
import type { Context, MemberContext, ViewerContext } from './context.ts';
import type { EventRow } from './event/event.resource.ts';
import { findEvents } from './event/event.ts';
import type { InvitationRow } from './invitation/invitation.resource.ts';
import { findInvitations } from './invitation/invitation.ts';
import { type Condition, canonicalText } from './list/condition.ts';
import type { Count } from './list/count.ts';
import type { Page } from './list/page.ts';
import type { MembershipRow } from './organization/membership.resource.ts';
import { findMemberships, listOwnMemberships } from './organization/membership.ts';
import type { OrganizationRow } from './organization/organization.resource.ts';
import { findOwnOrganizations } from './organization/organization.ts';
import { PrimedLoader } from './primed-loader.ts';
import { findSessions } from './session/own-sessions.ts';
import type { SessionRow } from './session/session.resource.ts';
import type { NestedSubscriptions } from './subscription/nested-subscriptions.ts';
import type { SubscriptionRow } from './subscription/subscription.resource.ts';
import {
  countSubscriptions,
  findSubscriptions,
  findViewerSubscriptions,
  listSubscriptions,
  type SubscriptionListInput,
} from './subscription/subscription.ts';
import { findKnownUsers, findUsers, type UserRow } from './user/user.ts';

type Loader<Value> = DataLoader<string, Value>;

/**
 * How many at once: what either face reads of related rows within one request. A loader stands for one selection of
 * columns, so that only those are read; rows that the viewer may not see load as null.
 */
export class Loaders {
  private readonly made = new Map<string, Loader<unknown>>();
  private readonly ctx: Context;

  constructor(ctx: Context) {
    this.ctx = ctx;
  }

  user(columns: readonly string[]): PrimedLoader<UserRow> {
    const find = (ids: readonly string[]) => byId(ids, findUsers(this.ctx, ids, columns));
    return this.once(`user ${columns.join()}`, () => new PrimedLoader<UserRow>(find));
  }

  /** Users by an id that the client gave; null for whom the viewer may not ask for. */
  knownUser(columns: readonly string[]): Loader<UserRow | null> {
    return this.byId(`known user ${columns.join()}`, (ids) => findKnownUsers(this.member, ids, columns));
  }

  /** The viewer's own organizations. */
  organization(columns: readonly string[]): Loader<OrganizationRow | null> {
    return this.byId(`organization ${columns.join()}`, (ids) => findOwnOrganizations(this.viewing, ids, columns));
  }

  /** The viewer's own memberships, and those of the request's organization that the viewer may see. */
  membership(): Loader<MembershipRow | null> {
    return this.byId('membership', (ids) => findMemberships(this.viewing, ids));
  }

  /** The memberships of a user, as far as the viewer may see them: the own ones, and none of anyone else. */
  memberships(): Loader<MembershipRow[]> {
    return this.loader('memberships', async (userIds) => {
      const own = await listOwnMemberships(this.ctx);
      return userIds.map((id) => (id === this.ctx.viewer?.userId ? own : []));
    });
  }

  /** The viewer's own sessions. */
  session(columns: readonly string[]): Loader<SessionRow | null> {
    return this.byId(`session ${columns.join()}`, (ids) => findSessions(this.viewing, ids, columns));
  }

  invitation(columns: readonly string[]): Loader<InvitationRow | null> {
    return this.byId(`invitation ${columns.join()}`, (ids) => findInvitations(this.member, ids, columns));
  }

  auditEntry(columns: readonly string[]): Loader<AuditRow | null> {
    return this.byId(`audit entry ${columns.join()}`, (ids) => findAuditEntries(this.member, ids, columns));
  }

  /** @param nested the page of subscriptions that each event is read with */
  event(columns: readonly string[], nested?: NestedSubscriptions | null): Loader<EventRow | null> {
    const page = nested
      ? JSON.stringify([nested.from, nested.size, nested.json.sql.nested, canonicalText(nested.where)])
      : '';
    return this.byId(`event ${columns.join()} ${page}`, (ids) => findEvents(this.member, ids, columns, nested));
  }

  subscription(columns: readonly string[]): Loader<SubscriptionRow | null> {
    return this.byId(`subscription ${columns.join()}`, (ids) => findSubscriptions(this.member, ids, columns));
  }

  /** The viewer's own newest subscription, by event. */
  viewerSubscription(columns: readonly string[]): Loader<SubscriptionRow | null> {
    return this.loader(`viewer subscription ${columns.join()}`, async (eventIds) => {
      const found = await findViewerSubscriptions(this.member, eventIds, columns);
      return eventIds.map((id) => found.find((each) => each.event_id === id) ?? null);
    });
  }

  /** A page of subscriptions, by event; null for an event that the viewer may not see. */
  subscriptionPage(input: SubscriptionListInput): Loader<Page<SubscriptionRow> | null> {
    const key = JSON.stringify([
      input.paging,
      input.columns,
      input.cursors,
      input.flags,
      input.userColumns,
      input.json?.sql.page,
      canonicalText(input.where),
    ]);
    return this.loader<Page<SubscriptionRow> | null>(`subscription page ${key}`, async (eventIds) => {
      const pages = await listSubscriptions(this.member, eventIds, input);
      return eventIds.map((id) => pages.get(id) ?? null);
    });
  }

  /** How many subscriptions the list holds (up to `max`), by event; null for an event that the viewer may not see. */
  subscriptionCount(where: Condition, max?: number): Loader<Count | null> {
    return this.loader(`subscription count ${max ?? 'of all'} ${canonicalText(where)}`, async (eventIds) => {
      const counts = await countSubscriptions(this.member, eventIds, where, max);
      return eventIds.map((id) => counts.get(id) ?? null);
    });
  }

  /** Forgets every row: after a write, what is read must be read anew. */
  clear(): void {
    for (const loader of this.made.values()) loader.clearAll();
  }

  private get viewing(): ViewerContext {
    if (!this.ctx.viewer) throw new Error('this loader needs a viewer');
    return this.ctx as ViewerContext;
  }

  private get member(): MemberContext {
    if (!this.ctx.viewer || !this.ctx.membership) throw new Error('this loader needs an organization');
    return this.ctx as MemberContext;
  }

  private byId<Row extends { id: string }>(
    key: string,
    find: (ids: readonly string[]) => Promise<Row[]>,
  ): Loader<Row | null> {
    return this.loader(key, (ids) => byId(ids, find(ids)));
  }

  private loader<Value>(key: string, batch: (keys: readonly string[]) => Promise<(Value | Error)[]>): Loader<Value> {
    return this.once(key, () => new DataLoader<string, Value>(batch));
  }

  private once<Made>(key: string, make: () => Made): Made {
    const known = this.made.get(key) as Made | undefined;
    if (known) return known;
    const made = make();
    this.made.set(key, made as Loader<unknown>);
    return made;
  }
}

async function byId<Row extends { id: string }>(
  ids: readonly string[],
  found: Promise<readonly Row[]>,
): Promise<(Row | null)[]> {
  const rows = new Map((await found).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id) ?? null);
}
