import { Migration } from '@mikro-orm/migrations';

/** Of an event that does not exist: the column is checked before the foreign key, which says what is wrong. */
const takeOrganization = (ifMissing: string) => `
create or replace function "subscription_take_organization"() returns trigger language plpgsql as $body$
begin
  select "organization_id" into new."organization_id" from "event" where "id" = new."event_id";${ifMissing}
  return new;
end
$body$`;
const refuse = `
  if not found then
    raise foreign_key_violation using constraint = 'subscription_event_id_foreign', table = 'subscription',
      message = 'insert or update on table "subscription" violates foreign key constraint "subscription_event_id_foreign"';
  end if;`;

const check = '"subscription_organization_id_check"';

/**
 * From now on every subscription names its organization (note 0074): triggers have seen to that since 0026. The check is
 * validated without blocking, so that `set not null` reads no rows.
 */
export class SubscriptionOrganizationRequired extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await this.execute(takeOrganization(refuse));
    await this.execute(`alter table "subscription" drop constraint if exists ${check}`);
    await this.execute(
      `alter table "subscription" add constraint ${check} check ("organization_id" is not null) not valid`,
    );
    await this.execute(`alter table "subscription" validate constraint ${check}`);
    await this.execute('alter table "subscription" alter column "organization_id" set not null');
    await this.execute(`alter table "subscription" drop constraint ${check}`);
  }

  override async down(): Promise<void> {
    await this.execute('alter table "subscription" alter column "organization_id" drop not null');
    await this.execute(takeOrganization(''));
  }
}
