import { Migration } from '@mikro-orm/migrations';

const batch = 5_000;

/**
 * The name that a guest typed used to be that of their account; it becomes that of each of their subscriptions. Runs in
 * short statements outside a transaction, so that nobody waits, and can be repeated.
 */
export class GuestNames extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    let last = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const [end] = (await this.execute(
        `with page as (select "id" from "subscription" where "id" > ? order by "id" limit ${batch}),
          named as (update "subscription" s set "guest_name" = u."name" from page, "user" u
            where s."id" = page."id" and u."id" = s."user_id" and s."mailbox_proven" and s."guest_name" is null
              and u."password_hash" is null and not exists (select from "membership" m where m."user_id" = u."id"))
          select "id" from page order by "id" desc limit 1`,
        [last],
      )) as { id: string }[];
      if (!end) return;
      last = end.id;
    }
  }

  /** Nothing to undo: reverting `0021-guest-columns` drops the column. */
  override down(): void {}
}
