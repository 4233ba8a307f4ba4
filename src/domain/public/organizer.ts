import type { Context } from '../../engine/context.ts';
import { prepared, type RowOf } from '../../engine/statement.ts';
import { DomainError } from '../../kernel/errors.ts';
import { tables } from '../tables/tables.ts';
import { publicOrganization } from './public-scope.ts';

const hostOf = prepared((at: { eventId: string }) =>
  tables
    .selectFrom('event as e')
    .innerJoin('organization as o', 'o.id', 'e.organization_id')
    .select(['o.name', 'o.slug', 'o.description', 'o.website', 'o.contact_email', 'o.accent', 'e.visibility'])
    .where('e.id', '=', at.eventId),
);

/** The organization of an event, for pages about it; `visibility` is that of the event: whether it has a public page. */
export type EventHost = RowOf<typeof hostOf>;

const organizerOf = prepared((at: { id: string }) =>
  tables
    .selectFrom('organization')
    .select(['description', 'website', 'contact_email', 'accent'])
    .where('id', '=', at.id),
);

/** What an organization says about itself on its pages (reference/pages.md#organizers): `description` is Markdown, `accent` `#rrggbb`. */
export type Organizer = RowOf<typeof organizerOf>;

/** The organization of an event that whoever asks may see. */
export async function organizerHost({ db }: Pick<Context, 'db'>, eventId: string): Promise<EventHost> {
  const found = await db.row(hostOf({ eventId }));
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

/** The organizer of the public events that a request may read. */
export async function findOrganizer(ctx: Context): Promise<Organizer> {
  const found = await ctx.db.row(organizerOf({ id: publicOrganization(ctx) }));
  return found ?? { description: null, website: null, contact_email: null, accent: null };
}
