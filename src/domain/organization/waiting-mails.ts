import { type NotNull, sql } from 'kysely';
import { prepared, type RowOf } from '#postgres-access';
import { batchLoader, type Context, type Loader, type ViewerContext } from '../../engine/context.ts';
import type { LaneName } from '../../engine/jobs/job.table.ts';
import { DomainError } from '../../kernel/errors.ts';
import { hasRole } from '../../kernel/request.ts';
import { acting } from '../access/memberships.ts';
import { anyOf, tables } from '../tables/tables.ts';
import { ownOrganizations } from './organization.ts';

/** Counted mails of each kind. */
const countedMails = 10_000;

/** The mails that budgets of the organization or its recipients postpone (reference/subscriptions.md#mail-budgets). */
export interface WaitingMails {
  waiting: number;
  /** When the next of them may be sent; null if none is waiting. */
  next_at: string | null;
}

/** By organization; null for those that the viewer does not manage. */
export function waitingMailsLoader(ctx: Context): Loader<WaitingMails | null> {
  return batchLoader(ctx, 'waiting mails', async (ids) => {
    const found = ctx.viewer ? await ctx.db.rows(countQueued({ userId: ctx.viewer.userId, ids })) : [];
    const byId = new Map(found.map((each) => [each.id, each]));
    return await Promise.all(ids.map((id) => waitingOf(ctx, byId.get(id))));
  });
}

/** @throws DomainError NOT_FOUND unless the viewer is in the organization; FORBIDDEN for members */
export async function getWaitingMails(ctx: ViewerContext, organization: string): Promise<WaitingMails> {
  const { id, role } = await ownOrganizations.get(ctx, organization, ['id', 'role']);
  const waiting = hasRole(role, 'manager') ? await waitingMailsLoader(ctx).load(id) : null;
  if (!waiting) throw new DomainError('FORBIDDEN');
  return waiting;
}

/** Mails that wait for their first attempt. */
interface Queued {
  mails: number;
  /** How many are not due yet, and do not wait for others. */
  later: number;
  /** When the first of those is due, in Unix milliseconds. */
  first: number | null;
}

function queued(lane: LaneName) {
  const mails = tables
    .selectFrom('job')
    .select(['due_at', sql<boolean>`due_at > now() and not held`.as('is_later')])
    .where(({ and }) => and({ lane: sql.lit(lane), party: sql.ref<string>('m.organization_id') }))
    .where('due_at', 'is not', null)
    .where('attempts', '=', sql.lit(0))
    .limit(sql.lit(countedMails));
  const later = sql`filter (where is_later)`;
  const counted = sql<Queued>`json_build_object('mails', count(*), 'later', count(*) ${later},
    'first', (extract(epoch from min(due_at) ${later}) * 1000)::float8)`;
  return tables.selectFrom(mails.as('queued')).select(counted.as('counted'));
}

const countQueued = prepared((at: { userId: string; ids: readonly string[] }) =>
  tables
    .selectFrom(acting.as('m'))
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['m.organization_id as id', 'o.maker_id'])
    .select([queued('event_mails').as('subscribers'), queued('guest_mails').as('guests')])
    .where('m.user_id', '=', at.userId)
    .where('m.role', '<>', sql.lit('member'))
    .where('m.organization_id', '=', anyOf(at.ids))
    .$narrowType<{ subscribers: NotNull; guests: NotNull }>(),
);

async function waitingOf(ctx: Context, row: RowOf<typeof countQueued> | undefined): Promise<WaitingMails | null> {
  if (!row) return null;
  const made = { organizationId: row.id, makerId: row.maker_id };
  const kinds = await Promise.all(
    (['subscribers', 'guests'] as const).map(async (budget) => {
      const { mails, later, first } = row[budget];
      const wait = mails === 0 ? 0 : await ctx.services.mailBudgets.waitOf(made, budget);
      return wait > 0 ? { waiting: mails, next: ctx.now.getTime() + wait * 1000 } : { waiting: later, next: first };
    }),
  );
  const times = kinds.flatMap(({ next }) => next ?? []);
  return {
    waiting: kinds.reduce((sum, { waiting }) => sum + waiting, 0),
    next_at: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
  };
}
