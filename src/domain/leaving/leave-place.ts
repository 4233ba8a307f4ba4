import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { smallTransaction } from '../../engine/transaction.ts';
import { hideOrganization } from './delete-organization.ts';
import { deleteStep, passFence } from './delete-steps.ts';

/**
 * Says where an organization is that another database has by now, and takes away what leads to it here, in one transaction: who
 * asks for it is told its place from then on (note 0086).
 */
export async function leavePlace(ctx: Context, id: string, address: string): Promise<void> {
  await smallTransaction(ctx, async (tx) => {
    const { db } = tx;
    await db.row(passFence(id));
    await db.run(sql`insert into organization_place (id, slug, address)
      select id, slug, ${address} from organization where id = ${id}::uuid
      on conflict (id) do update set slug = excluded.slug, address = excluded.address, moved_at = now()`);
    await db.run(sql`insert into moved_secret (hash, place_id)
      select hash, ${id}::uuid from (
        select hash from api_key where organization_id = ${id}::uuid
        union select hash from invitation where organization_id = ${id}::uuid
        union select r.hash from guest_request r join event e on e.id = r.event_id where e.organization_id = ${id}::uuid
        union select l.hash from guest_link l join subscription s on s.id = l.subscription_id
          where s.organization_id = ${id}::uuid
      ) secret where hash is not null
      on conflict (hash) do update set place_id = excluded.place_id`);
    await hideOrganization(tx, id);
  });
}

/** Deletes all rows of an organization that has moved; a running service does so, too. */
export async function deleteMoved({ db }: Context, id: string): Promise<void> {
  const isLeft = async () => (await db.row(sql`select from organization where id = ${id}::uuid`)) !== undefined;
  // nothing while another process does a step
  while (await isLeft()) if (!(await deleteStep({ db, bounded: true }, [], id))) await sleep(50);
}
