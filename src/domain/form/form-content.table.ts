import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from '../../engine/columns.ts';
import { Organization } from '../organization/organization.entity.ts';
import type { Question } from './question.ts';

/** Questions, stored once for all versions and copies that have the same ones. */
export const FormContent = defineEntity({
  name: 'FormContent',
  tableName: 'form_content',
  properties: {
    organization_id: () => p.manyToOne(Organization).mapToPk().primary().deleteRule('cascade').index(false),
    /** SHA-256 of the questions in PostgreSQL's text form. */
    hash: p.blob().primary(),
    questions: p.json<Question[]>(),
    /** Since when no version uses it, set by a trigger; null while one does. */
    unused_since: timestamp().nullable(),
  },
  indexes: [{ properties: ['unused_since'], where: '"unused_since" is not null' }],
});
