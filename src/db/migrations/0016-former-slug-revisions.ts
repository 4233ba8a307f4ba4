import { Migration } from '@mikro-orm/migrations';

/**
 * A former slug that ends or leads to another event changes the responses at public addresses, even if the event that
 * has the slug now is not public (note 0042). Deferred, so that the revision is still the last lock of a
 * transaction.
 */
export class FormerSlugRevisions extends Migration {
  override up(): void {
    this.addSql(`create function "event_slug_raise_revision"() returns trigger language plpgsql as $body$
      begin
        -- the organization may be going, too
        perform "public_revision_raise"("id") from "organization" where "id" = old."organization_id";
        return null;
      end
      $body$`);
    this.addSql(
      `create constraint trigger "event_slug_raise_revision" after update or delete on "event_slug" deferrable initially deferred for each row execute function "event_slug_raise_revision"()`,
    );
  }

  override down(): void {
    this.addSql('drop trigger "event_slug_raise_revision" on "event_slug"');
    this.addSql('drop function "event_slug_raise_revision"()');
  }
}
