import { sql } from 'kysely';
import type { Delivery } from '#slow-readers';
import { type ViewerContext, withPerson } from '../../engine/context.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { everyMember, requireOwned } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { writtenNames } from '../event/event.input.ts';
import { eventResource } from '../event/event.resource.ts';
import { tables } from '../tables/tables.ts';
import { type Section, times, writeDocument } from './export-document.ts';

/**
 * Passes the document of an organization to `write`, from one snapshot (reference/leaving.md#exporting-an-organization).
 * @throws DomainError NOT_FOUND unless the viewer belongs to it; FORBIDDEN, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function exportOrganization(
  ctx: ViewerContext,
  id: string,
  write: (pieces: AsyncIterable<string>, delivery: Delivery) => Promise<void>,
): Promise<void> {
  withPerson(ctx);
  const { userId } = ctx.viewer;
  const membership = await requireOwned(ctx, id);
  const { organizationId } = membership;
  await spend(ctx, { rule: 'export', key: userId });
  // organizations take turns
  await ctx.services.snapshots.read({ ...ctx, membership }, async (snapshot) => {
    await recordAudit(ctx, { action: 'organization.exported', actorId: userId, organizationId });
    await write(writeDocument(snapshot, organizationDocument(organizationId)), snapshot.delivery);
  });
}

const isTime = (name: (typeof writtenNames)[number]) => eventResource.fields[name].type === 'timestamp';
/** Everything that a write of an event can set is exported. */
const writtenTimes = writtenNames.filter(isTime);
const writtenValues = writtenNames.filter((name) => !isTime(name)).map((name) => `e.${name}` as const);

/**
 * In the form that an import reads (guides/import-and-export.md#imports). Users have no passwords, and guests keep the names
 * of their subscriptions.
 * @param only the id of the organization; null for all of them, with every user
 */
export function organizationDocument(only: string | null): Record<string, Section> {
  const existing = tables.selectFrom('organization as o').where('o.deleted_at', 'is', null);
  const exported = only === null ? existing : existing.where('o.id', '=', only);
  const organizations = exported.select('o.id');
  return {
    organizations: {
      rows: exported
        .select(['o.id', 'o.name', 'o.slug', 'o.signup', 'o.description', 'o.website', 'o.contact_email', 'o.accent'])
        .select(['o.version', ...times('organization as o', 'created_at')])
        .orderBy('o.created_at')
        .orderBy('o.id'),
    },
    users: {
      rows: tables
        .selectFrom('user as u')
        .select(['u.id', 'u.email', 'u.name', 'u.avatar_url', sql<boolean>`u.verified_at is not null`.as('verified')])
        .select(times('user as u', 'created_at'))
        .where(({ exists, not, or, selectFrom }) => {
          // not the users of API keys
          if (only === null) return not(exists(selectFrom('api_key as k').whereRef('k.id', '=', 'u.id')));
          const userId = sql.ref<string>('u.id');
          return or([
            exists(everyMember.where('m.user_id', '=', userId).where('m.organization_id', '=', only)),
            exists(
              selectFrom('subscription as s').where('s.user_id', '=', userId).where('s.organization_id', '=', only),
            ),
          ]);
        })
        .orderBy('u.id'),
    },
    memberships: {
      rows: everyMember
        .select(['m.organization_id', 'm.user_id', 'm.role', ...times('membership as m', 'created_at')])
        .where('m.organization_id', 'in', organizations)
        .orderBy('m.organization_id')
        .orderBy('m.created_at')
        .orderBy('m.id'),
    },
    events: {
      rows: tables
        .selectFrom('event as e')
        .select(['e.id', 'e.organization_id', ...writtenValues, 'e.version'])
        .select(times('event as e', ...writtenTimes, 'created_at', 'updated_at'))
        .where('e.organization_id', 'in', organizations)
        .orderBy('e.id'),
    },
    forms: {
      large: true,
      rows: tables
        .selectFrom('form_version as f')
        .innerJoin('form_content as c', (join) =>
          join.onRef('c.organization_id', '=', 'f.organization_id').onRef('c.hash', '=', 'f.hash'),
        )
        .select(['f.event_id', 'f.version', 'c.questions'])
        .where('f.organization_id', 'in', organizations)
        .orderBy('f.event_id')
        .orderBy('f.version'),
    },
    former_slugs: {
      rows: tables
        .selectFrom('event_slug as f')
        .select(['f.organization_id', 'f.slug', 'f.event_id'])
        .where('f.organization_id', 'in', organizations)
        .orderBy('f.organization_id')
        .orderBy('f.slug'),
    },
    subscriptions: {
      large: true,
      rows: tables
        .selectFrom('subscription as s')
        .select(['s.id', 's.event_id', 's.user_id', 's.status', 's.answers', 's.form_version', 's.guest_name'])
        .select(times('subscription as s', 'waiting_since', 'checked_in_at', 'created_at', 'updated_at'))
        .where('s.organization_id', 'in', organizations)
        .orderBy('s.id'),
    },
    changes: {
      rows: tables
        .selectFrom('subscription_change as c')
        .innerJoin('subscription as s', 's.id', 'c.subscription_id')
        .select(['c.id', 'c.subscription_id', 'c.kind', 'c.status_from', 'c.status_to', 'c.actor_id'])
        .select(times('subscription_change as c', 'created_at'))
        .where('s.organization_id', 'in', organizations)
        .orderBy('c.id'),
    },
  };
}
