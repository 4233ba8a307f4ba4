import { defineEntity, p } from '@mikro-orm/core';
import { Organization } from '../organization/organization.entity.ts';

const PublicRevisionSchema = defineEntity({
  name: 'PublicRevision',
  tableName: 'public_revision',
  properties: {
    organization: () => p.oneToOne(Organization).primary().ref().owner().updateRule('no action').deleteRule('cascade'),
    revision: p.bigint('number'),
  },
});

/** A number that increases with whatever an organization's public events show; triggers raise it. */
export class PublicRevision extends PublicRevisionSchema.class {}
PublicRevisionSchema.setClass(PublicRevision);
