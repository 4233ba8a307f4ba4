import { decodePlace, encodePlace, type Place } from '#log-places';
import type { MemberContext } from '../../engine/context.ts';
import type { ListCursors } from '../../engine/cursor.ts';
import { DomainError, fault } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/request.ts';
import { type ChangeKind, type ChangeRow, changeKinds } from './change.table.ts';
import { changeFor, placeAtEnd, readChanges } from './read-changes.ts';
import type { ChangeView } from './read-log.ts';

export const changeBeginnings = ['start', 'now'] as const;

export interface ChangesInput {
  /** The cursor to continue from; `since` is then ignored. */
  token: string | null;
  /** The name of the cursor's parameter, for errors. */
  pointer: string;
  since: (typeof changeBeginnings)[number];
  /** In the order of {@link changeKinds}. */
  kinds: readonly ChangeKind[];
  size: number;
}

/** Changes, oldest first, with the cursors to continue from. */
export interface SealedChanges {
  items: { change: ChangeRow; cursor: string }[];
  /** Never null: the log never ends. */
  next: string;
  hasMore: boolean;
}

/** The changes that the viewer sees (reference/changes.md). @throws DomainError INVALID_CURSOR, CURSOR_EXPIRED */
export async function listChanges(ctx: MemberContext, input: ChangesInput): Promise<SealedChanges> {
  const { kinds, size: limit } = input;
  const view = viewOf(ctx, kinds);
  const cursors = new ViewCursors(ctx, view);
  const { now } = ctx;
  const place = cursors.open(input);
  if (!place && input.since === 'now') {
    return { items: [], next: cursors.seal(await placeAtEnd(ctx.db, view.organizationId, now)), hasMore: false };
  }
  const { changesRetentionDays: retentionDays } = ctx.services.settings;
  const page = await readChanges(ctx.db, view, { place, limit, now, retentionDays });
  const items = page.items.map(({ row, place: own }) => ({
    change: changeFor(view, row),
    /** Sealed only if requested. */
    get cursor() {
      return cursors.seal(own);
    },
  }));
  return { items, next: cursors.seal(page.next), hasMore: page.hasMore };
}

/** Managers see all changes, members those of rows in their lists. */
export function viewOf({ viewer, membership }: MemberContext, kinds: readonly ChangeKind[]): ChangeView {
  const member = isManager(membership) ? null : viewer.userId;
  return { organizationId: membership.organizationId, member, kinds };
}

/** The cursors of a view, bound to its organization and kinds; each begins with the member. */
export class ViewCursors {
  readonly #cursors: ListCursors;
  /** Managers share one view: the byte 0. Each member has another: the byte 1 and the id. */
  readonly #member: Buffer;

  constructor({ services }: Pick<MemberContext, 'services'>, { organizationId, kinds, member }: ChangeView) {
    this.#cursors = services.cursors.bind(organizationId, 'changes', ...kinds);
    const id = Buffer.from(member?.replaceAll('-', '') ?? '', 'hex');
    this.#member = Buffer.concat([Buffer.of(member === null ? 0 : 1), id]);
  }

  seal(place: Place): string {
    return this.#cursors.sealBody(Buffer.concat([this.#member, encodePlace(place)]));
  }

  /**
   * The place of a cursor; null without one.
   *
   * @throws DomainError INVALID_CURSOR; CURSOR_EXPIRED if the role has changed since, or the cursor is of another version
   */
  open({ token, pointer }: Pick<ChangesInput, 'token' | 'pointer'>): Place | null {
    if (token === null) return null;
    const body = this.#cursors.openBody(token);
    if (!body) throw fault('INVALID_CURSOR', pointer, unopened);
    const own = this.#member;
    const isOwn = body.subarray(0, own.length).equals(own);
    const place = isOwn ? decodePlace(body.subarray(own.length)) : null;
    if (place) return place;
    const reason = isOwn ? 'is of another version of the service' : 'belongs to another view of the changes';
    const detail = `The cursor ${reason}. Begin with \`since=now\`, then read the lists.`;
    throw new DomainError('CURSOR_EXPIRED', { detail });
  }
}

const unopened =
  'The cursor was changed, belongs to another organization or other `kinds`, or was sealed with a secret that is no longer in use. Take a new one with `since=now`, then read the lists again.';

/** The kinds with these names, each once, in the order of {@link changeKinds}. */
export function sortedKinds(names: readonly ChangeKind[]): ChangeKind[] {
  return changeKinds.filter((kind) => names.includes(kind));
}
