import { defineEntity, p } from '@mikro-orm/core';
import { Organization } from '../organization/organization.entity.ts';

/** Increases with every change visible in an organization's public events; maintained by triggers. */
export const PublicRevision = defineEntity({
  name: 'PublicRevision',
  tableName: 'public_revision',
  properties: {
    organization_id: () =>
      p.oneToOne(Organization).mapToPk().primary().owner().updateRule('no action').deleteRule('cascade'),
    revision: p.bigint('number'),
  },
});
