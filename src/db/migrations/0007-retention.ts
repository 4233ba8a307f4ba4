import { Migration } from '@mikro-orm/migrations';

/**
 * Tells processes to forget a deleted session only if it had not ended: the sweep deletes sessions that ended long ago.
 */
export class Retention extends Migration {
  override up(): void {
    this.#replaceFunction(`where "ended_at" is null and "last_used_at" > now() - interval '31 days'`);
  }

  override down(): void {
    this.#replaceFunction('');
  }

  #replaceFunction(living: string): void {
    this.addSql(`create or replace function "session_notify_access"() returns trigger language plpgsql as $body$
declare
  payloads json[];
begin
  if tg_op = 'DELETE' then
    select array_agg(json_build_object('session', "id")) into payloads from "old_rows" ${living};
  else
    select array_agg(json_build_object('session', "new_rows"."id")) into payloads
      from "new_rows" join "old_rows" using ("id")
      where "new_rows"."ended_at" is not null and "old_rows"."ended_at" is null;
  end if;
  perform "notify_access_changed"(payloads);
  return null;
end
$body$`);
  }
}
