import sql, { type Sql } from 'sql-template-tag';
import type { Context } from '../context.ts';
import { hashToken, makeToken } from '../secret-token.ts';

/** Days after an event for which links to its subscriptions work. */
const linkDays = 30;

/** When links to the subscriptions of an event stop to work, of the alias `e`. */
export const linkEnd: Sql = sql`e.date_end + make_interval(days => ${linkDays})`;

/** Makes a link to a subscription; earlier ones go on working. Null if the event was too long ago. */
export async function issueLink({ db }: Pick<Context, 'db'>, subscriptionId: string): Promise<string | null> {
  const token = makeToken();
  const issued = await db.row(sql`insert into guest_link (hash, subscription_id, expires_at)
      select ${hashToken(token)}, s.id, ${linkEnd} from subscription s join event e on e.id = s.event_id
      where s.id = ${subscriptionId}::uuid and ${linkEnd} > now() returning hash`);
  return issued ? token : null;
}
