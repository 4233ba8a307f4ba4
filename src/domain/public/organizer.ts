import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { EventVisibility } from '../event/event.entity.ts';
import { publicOrganization } from './public-scope.ts';

/** What an organization says about itself on its pages (interface/pages.md#organizers). */
export interface Organizer {
  /** Markdown. */
  description: string | null;
  website: string | null;
  contact_email: string | null;
  /** A colour as `#rrggbb`. */
  accent: string | null;
}

/** The organization of an event, for pages about it. */
export interface EventHost extends Organizer {
  name: string;
  slug: string;
  /** That of the event: whether it has a public page. */
  visibility: EventVisibility;
}

/** The organization of an event that whoever asks may see. */
export async function organizerHost({ db }: Pick<Context, 'db'>, eventId: string): Promise<EventHost> {
  const found = await db.row<EventHost>(
    sql`select o.name, o.slug, o.description, o.website, o.contact_email, o.accent, e.visibility
      from event e join organization o on o.id = e.organization_id where e.id = ${eventId}::uuid`,
  );
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

/** The organizer of the public events that a request may read. */
export async function findOrganizer(ctx: Context): Promise<Organizer> {
  const found = await ctx.db.row<Organizer>(
    sql`select description, website, contact_email, accent from organization where id = ${publicOrganization(ctx)}::uuid`,
    { prepared: true },
  );
  return found ?? { description: null, website: null, contact_email: null, accent: null };
}
