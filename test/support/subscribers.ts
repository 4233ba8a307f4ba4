import type { Orm } from '../../src/db/orm.ts';

/** Subscribes so many new people to an event, all at once; the ids of their subscriptions. */
export async function insertSubscribers(orm: Orm, eventId: string, count: number, status = 'accepted') {
  return await orm.em.fork().transactional(async (em) => {
    // thousands of rows may take longer than a statement of the service may, on a busy machine
    await em.execute('set local statement_timeout = 0');
    const rows = await em.execute<{ id: string }[]>(
      `with people as (
        insert into "user" (id, email, mailbox, name, verified_at)
        select gen_random_uuid(), address, address, 'N', now()
        from (select 'many-' || gen_random_uuid() || '@example.org' as address from generate_series(1, ?)) made returning id
      )
      insert into subscription (id, event_id, user_id, status, created_at)
      select gen_random_uuid(), ?, id, ?, now() - random() * interval '9 days' from people returning id`,
      [count, eventId, status],
    );
    return rows.map(({ id }) => id);
  });
}
