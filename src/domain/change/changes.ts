import type { MemberContext } from '../../engine/context.ts';
import type { ListCursors } from '../../engine/cursor.ts';
import { DomainError, fault } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/request.ts';
import { type ChangeKind, changeKinds } from './change.table.ts';
import { type ChangeRow, type ChangeView, changeFor } from './change-view.ts';
import { decodePlace, encodePlace, type Place } from './place.ts';
import { placeAtEnd, readChanges } from './read-changes.ts';

export const changeBeginnings = ['start', 'now'] as const;

/** What is read of the log, for both faces. */
export interface ChangesInput {
  /** A cursor to read on from; `since` is then without meaning. */
  token: string | null;
  /** The name of the cursor's parameter, for errors. */
  pointer: string;
  since: (typeof changeBeginnings)[number];
  /** In the order of {@link changeKinds}. */
  kinds: readonly ChangeKind[];
  size: number;
}

/** Some changes, oldest first, with the cursors to read on from. */
export interface SealedChanges {
  items: { change: ChangeRow; cursor: string }[];
  /** Never null: it also leads to what has not happened yet. */
  next: string;
  hasMore: boolean;
}

/**
 * What has changed in the organization, as the viewer sees it (interface/changes.md).
 *
 * @throws DomainError INVALID_CURSOR, CURSOR_EXPIRED
 */
export async function listChanges(ctx: MemberContext, input: ChangesInput): Promise<SealedChanges> {
  const { kinds, size: limit } = input;
  const view = viewOf(ctx, kinds);
  const seal = (place: Place) => sealPlace(ctx, view, place);
  const { now } = ctx;
  const place = openPlace(ctx, view, input);
  if (!place && input.since === 'now') {
    return { items: [], next: seal(await placeAtEnd(ctx.db, view.organizationId, now)), hasMore: false };
  }
  const { changesRetentionDays: retentionDays } = ctx.services.settings;
  const page = await readChanges(ctx.db, view, { place, limit, now, retentionDays });
  const items = page.items.map(({ row, place: own }) => ({
    change: changeFor(view, row),
    // sealed only if it is asked for
    get cursor() {
      return seal(own);
    },
  }));
  return { items, next: seal(page.next), hasMore: page.hasMore };
}

/** What the viewer sees: managers everything, members what they see in lists. */
export function viewOf({ viewer, membership }: MemberContext, kinds: readonly ChangeKind[]): ChangeView {
  const member = isManager(membership) ? null : viewer.userId;
  return { organizationId: membership.organizationId, member, kinds };
}

/** A cursor of a place, bound to the organization and the kinds; the view is part of it. */
export function sealPlace({ services }: Pick<MemberContext, 'services'>, view: ChangeView, place: Place): string {
  const { bytes, cursors } = boundTo(services, view);
  return cursors.sealBody(Buffer.concat([bytes, encodePlace(place)]));
}

/**
 * The place of a cursor; null without one.
 *
 * @throws DomainError INVALID_CURSOR; CURSOR_EXPIRED if it belongs to another view, since the role has changed, or to another version of
 * the service
 */
export function openPlace(
  { services }: Pick<MemberContext, 'services'>,
  view: ChangeView,
  { token, pointer }: Pick<ChangesInput, 'token' | 'pointer'>,
): Place | null {
  if (token === null) return null;
  const { bytes: own, cursors } = boundTo(services, view);
  const body = cursors.openBody(token);
  if (!body) throw fault('INVALID_CURSOR', pointer, unopened);
  const isOwn = body.subarray(0, own.length).equals(own);
  if (isOwn) return decodePlace(body.subarray(own.length));
  const detail = 'The cursor belongs to another view of the changes. Begin with `since=now`, then read the lists.';
  throw new DomainError('CURSOR_EXPIRED', { detail });
}

const unopened =
  'The cursor was changed, belongs to another organization or other `kinds`, or was sealed with a secret that is no longer in use. Take a new one with `since=now`, then read the lists again.';

/** What the cursors of a view have in common. */
interface Bound {
  bytes: Buffer;
  cursors: ListCursors;
}

const known = new WeakMap<ChangeView, Bound>();

/** Worked out once for a view: a page and a stream seal a cursor for each change. */
function boundTo({ cursors }: Pick<MemberContext['services'], 'cursors'>, view: ChangeView): Bound {
  const { organizationId, kinds, member } = view;
  let bound = known.get(view);
  if (!bound) {
    bound = { bytes: viewBytes(member), cursors: cursors.bind(organizationId, 'changes', ...kinds) };
    known.set(view, bound);
  }
  return bound;
}

/** Managers share one view; each member has another one. The first byte tells them apart. */
function viewBytes(member: string | null): Buffer {
  return member === null ? Buffer.of(0) : Buffer.concat([Buffer.of(1), Buffer.from(member.replaceAll('-', ''), 'hex')]);
}

/** The kinds with these names, each once, in one order. */
export function sortedKinds(names: readonly ChangeKind[]): ChangeKind[] {
  return changeKinds.filter((kind) => names.includes(kind));
}
