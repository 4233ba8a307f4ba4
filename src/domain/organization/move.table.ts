import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from '../../kernel/columns.ts';

/** An organization that is being moved to the database of another service; its writes are refused meanwhile (note 0086). */
export const OrganizationMove = defineEntity({
  name: 'OrganizationMove',
  tableName: 'organization_move',
  properties: {
    /** That of the organization. */
    id: p.uuid().primary(),
    /** The servers and the name of the other database, without the password. */
    target: p.string().length(400),
    /** Where clients reach the other service. */
    address: p.string().length(2000),
    began_at: timestamp().defaultRaw('now()'),
  },
});

/** Where an organization is that was moved to another service: the row that a router asks. */
export const OrganizationPlace = defineEntity({
  name: 'OrganizationPlace',
  tableName: 'organization_place',
  properties: {
    /** That of the organization. */
    id: p.uuid().primary(),
    /** That by which its public pages were found here. */
    slug: p.string().length(200).index('organization_place_slug_index'),
    /** Where clients reach the service that has it, without a slash at the end. */
    address: p.string().length(2000),
    moved_at: timestamp().defaultRaw('now()'),
  },
});

/** The hash of a secret that belonged to an organization which was moved: an API key, or the token of a link. */
export const MovedSecret = defineEntity({
  name: 'MovedSecret',
  tableName: 'moved_secret',
  properties: {
    hash: p.string().length(43).primary(),
    place_id: () => p.manyToOne(OrganizationPlace).mapToPk().deleteRule('cascade').index('moved_secret_place_id_index'),
  },
});
