import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { parseUuid } from '#input-values';
import { prepared, type RowOf } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { PublicScope } from '../../kernel/request.ts';
import { tables } from '../tables/tables.ts';

export interface PublicContext extends Context {
  publicScope: PublicScope;
}

/**
 * Sets `ctx.publicScope` to an organization. The revision is read before the data that it identifies, so that no response is
 * older than its revision.
 * @param id the only organization that the request names; null if it names none, or several
 * @throws DomainError ORGANIZATION_REQUIRED unless it is one id; ORGANIZATION_FORBIDDEN if there is no such organization
 */
export async function enterPublicScope(ctx: Context, id: string | null): Promise<PublicScope> {
  const organizationId = parseUuid(id);
  if (organizationId === null) throw new DomainError('ORGANIZATION_REQUIRED');
  const scope = await ctx.db.row(scopeById({ id: organizationId, now: ctx.now.toISOString() }));
  if (!scope) throw new DomainError('ORGANIZATION_FORBIDDEN');
  return enter(ctx, scopeOf(scope));
}

/** {@link enterPublicScope} by the slug in a URL. @throws DomainError NOT_FOUND */
export async function enterPublicScopeOf(ctx: Context, slug: string): Promise<PublicScope> {
  const scope = await findPublicScope(ctx, slug);
  if (!scope) throw new DomainError('NOT_FOUND');
  return enter(ctx, scope);
}

export async function findPublicScope({ db, now }: Context, slug: string): Promise<PublicScope | null> {
  // PostgreSQL cannot store NUL, so no slug contains it
  const found = slug.includes('\0') ? null : await db.row(scopeBySlug({ slug, now: now.toISOString() }));
  return found ? scopeOf(found) : null;
}

function scopeOf(found: RowOf<typeof scopeById>): PublicScope {
  const { id: organizationId, name, slug } = found;
  return { organizationId, name, slug, revision: hash('sha256', JSON.stringify(found), 'base64url') };
}

function enter(ctx: Context, scope: PublicScope): PublicScope {
  ctx.publicScope = scope;
  ctx.usage.organizationId = scope.organizationId;
  return scope;
}

const scopes = (at: { now: string }) =>
  tables
    .selectFrom('organization as o')
    .leftJoin('public_revision as r', 'r.organization_id', 'o.id')
    // `version` increases with all that pages show about the organization
    .select(['o.id', 'o.name', 'o.slug', 'o.version', sql<string>`coalesce(r.revision, 0)::text`.as('revision')])
    .select((eb) =>
      // when an event ends, its registration closes without a write
      eb
        .selectFrom('event as e')
        .select(sql<string>`e.date_end::text`.as('end'))
        .whereRef('e.organization_id', '=', 'o.id')
        .where('e.date_end', '<', at.now)
        .orderBy('e.date_end', 'desc')
        .limit(sql.lit(1))
        .as('ended'),
    )
    .where('o.deleted_at', 'is', null);

const scopeById = prepared((at: { id: string; now: string }) => scopes(at).where('o.id', '=', at.id));
const scopeBySlug = prepared((at: { slug: string; now: string }) => scopes(at).where('o.slug', '=', at.slug));

export function publicOrganization({ publicScope, membership }: Context): string {
  const organizationId = publicScope?.organizationId ?? membership?.organizationId;
  if (organizationId === undefined) throw new Error('the request has no organization');
  return organizationId;
}
