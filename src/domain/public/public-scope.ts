import { hash } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { PublicScope } from '../../kernel/request.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { endedSql } from '../event/event-moment.ts';

/** The context of a request for public data. */
export interface PublicContext extends Context {
  publicScope: PublicScope;
}

/**
 * Scopes a request to the public events of an organization: sets `ctx.publicScope`. The revision is read before the
 * data that it identifies, so that a response is never older than its revision.
 *
 * @param id the only organization that the request names; null if it names none, or several
 * @throws DomainError ORGANIZATION_REQUIRED if there is not exactly one id; ORGANIZATION_FORBIDDEN if there is no such
 * organization
 */
export async function enterPublicScope(ctx: Context, id: string | null): Promise<PublicScope> {
  const organizationId = parseUuid(id);
  if (organizationId === null) throw new DomainError('ORGANIZATION_REQUIRED');
  const scope = await findScope(ctx, sql`o.id = ${organizationId}::uuid`);
  if (!scope) throw new DomainError('ORGANIZATION_FORBIDDEN');
  return enter(ctx, scope);
}

/** Like {@link enterPublicScope}, by the slug in a URL. @throws DomainError NOT_FOUND */
export async function enterPublicScopeOf(ctx: Context, slug: string): Promise<PublicScope> {
  // PostgreSQL cannot store NUL, so no slug contains it
  if (slug.includes('\0')) throw new DomainError('NOT_FOUND');
  const scope = await findScope(ctx, sql`o.slug = ${slug}`);
  if (!scope) throw new DomainError('NOT_FOUND');
  return enter(ctx, scope);
}

function enter(ctx: Context, scope: PublicScope): PublicScope {
  ctx.publicScope = scope;
  ctx.usage.organizationId = scope.organizationId;
  return scope;
}

interface Found {
  id: string;
  name: string;
  slug: string;
  /** Increases with whatever its pages say about the organization. */
  version: number;
  revision: string;
  ended: string | null;
}

async function findScope(ctx: Context, condition: Sql): Promise<PublicScope | null> {
  const found = await ctx.db.row<Found>(
    // when an event ends, its registration closes without a write
    sql`select o.id, o.name, o.slug, o.version, coalesce(r.revision, 0)::text as revision, (
          select e.date_end::text from event e where e.organization_id = o.id
            and ${endedSql('e', ctx.now)} order by e.date_end desc limit 1
        ) as ended
      from organization o left join public_revision r on r.organization_id = o.id
        where ${condition} and o.deleted_at is null`,
    { prepared: true },
  );
  if (!found) return null;
  const { id: organizationId, name, slug } = found;
  return { organizationId, name, slug, revision: hash('sha256', JSON.stringify(found), 'base64url') };
}

/** The organization whose public events a request may read: the one that it named. */
export function publicOrganization({ publicScope, membership }: Context): string {
  const organizationId = publicScope?.organizationId ?? membership?.organizationId;
  if (organizationId === undefined) throw new Error('the request has no organization');
  return organizationId;
}
