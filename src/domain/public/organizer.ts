import { prepared, type RowOf } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { pick } from '../../kernel/objects.ts';
import { publicPath } from '../event/event-address.ts';
import { organizationResource } from '../organization/organization.resource.ts';
import { tables } from '../tables/tables.ts';
import { type PublicContext, publicOrganization } from './public-scope.ts';

const hostOf = prepared((at: { eventId: string }) =>
  tables
    .selectFrom('event as e')
    .innerJoin('organization as o', 'o.id', 'e.organization_id')
    .select(['o.name', 'o.slug', 'o.description', 'o.website', 'o.contact_email', 'o.accent', 'e.visibility'])
    .where('e.id', '=', at.eventId),
);

/** The organization of an event, for its pages; `visibility` is that of the event. */
export type EventHost = RowOf<typeof hostOf>;

const organizerOf = prepared((at: { id: string }) =>
  tables
    .selectFrom('organization')
    .select(['description', 'website', 'contact_email', 'accent'])
    .where('id', '=', at.id),
);

/** `description` is Markdown, `accent` `#rrggbb` (reference/pages.md#organizers). */
export type Organizer = RowOf<typeof organizerOf>;

/** For an event that the client may see. */
export async function organizerHost({ db }: Pick<Context, 'db'>, eventId: string): Promise<EventHost> {
  const found = await db.row(hostOf({ eventId }));
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

/** An organization as anyone may see it (reference/public-and-guests.md#public-organizations). */
export interface PublicOrganization extends Organizer {
  name: string;
  slug: string;
  /** Of its public page. */
  url: string;
}

const shown = ['name', 'slug', 'description', 'website', 'contact_email', 'accent'] as const;
export const publicOrganizationFields = pick(organizationResource.fields, shown);

export async function getPublicOrganization(ctx: PublicContext): Promise<PublicOrganization> {
  const { name, slug } = ctx.publicScope;
  const { publicUrl } = ctx.services.settings;
  return { name, slug, ...(await findOrganizer(ctx)), url: publicUrl + publicPath(slug) };
}

export async function findOrganizer(ctx: Context): Promise<Organizer> {
  const found = await ctx.db.row(organizerOf({ id: publicOrganization(ctx) }));
  return found ?? { description: null, website: null, contact_email: null, accent: null };
}
