import { Migration } from '@mikro-orm/migrations';

/** A writer that does not say the organization gets that of the event. */
const ofEvent = `
create function "subscription_take_organization"() returns trigger language plpgsql as $body$
begin
  select "organization_id" into new."organization_id" from "event" where "id" = new."event_id";
  return new;
end
$body$`;

/** An import may move an event to another organization. */
const followEvent = `
create function "event_move_subscriptions"() returns trigger language plpgsql as $body$
begin
  update "subscription" set "organization_id" = new."organization_id" where "event_id" = new."id";
  return null;
end
$body$`;

/**
 * Subscriptions know the organization of their event, so that an index has the organization's subscriptions in the order
 * of their list (note 0060). Kept by triggers: processes of the previous version do not write the column.
 */
export class SubscriptionOrganization extends Migration {
  override up(): void {
    this.addSql('alter table "subscription" add column "organization_id" uuid null');
    this.addSql(ofEvent);
    this.addSql(
      `create trigger "subscription_take_organization_on_insert" before insert on "subscription" for each row
        when (new."organization_id" is null) execute function "subscription_take_organization"()`,
    );
    this.addSql(
      `create trigger "subscription_take_organization_on_update" before update of "event_id" on "subscription" for each row
        when (old."event_id" <> new."event_id") execute function "subscription_take_organization"()`,
    );
    this.addSql(followEvent);
    this.addSql(
      `create trigger "event_move_subscriptions_on_update" after update of "organization_id" on "event" for each row
        when (old."organization_id" <> new."organization_id") execute function "event_move_subscriptions"()`,
    );
  }

  override down(): void {
    this.addSql('drop trigger "event_move_subscriptions_on_update" on "event"');
    this.addSql('drop function "event_move_subscriptions"');
    this.addSql('drop trigger "subscription_take_organization_on_update" on "subscription"');
    this.addSql('drop trigger "subscription_take_organization_on_insert" on "subscription"');
    this.addSql('drop function "subscription_take_organization"');
    this.addSql('alter table "subscription" drop column "organization_id"');
  }
}
