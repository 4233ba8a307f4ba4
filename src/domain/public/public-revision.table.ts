import { defineEntity, p } from '@mikro-orm/core';
import { Organization } from '../organization/organization.entity.ts';

/** A number that increases with whatever an organization's public events show; triggers raise it. */
export const PublicRevision = defineEntity({
  name: 'PublicRevision',
  tableName: 'public_revision',
  properties: {
    organization_id: () =>
      p
        .oneToOne(Organization)
        .mapToPk()

        .primary()
        .owner()
        .updateRule('no action')
        .deleteRule('cascade'),
    revision: p.bigint('number'),
  },
});
