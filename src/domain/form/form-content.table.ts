import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from '../../kernel/columns.ts';
import { Organization } from '../organization/organization.entity.ts';
import type { Question } from './question.ts';

/** What forms of an organization ask, once for all versions and copies that ask the same. */
export const FormContent = defineEntity({
  name: 'FormContent',
  tableName: 'form_content',
  properties: {
    organization_id: () => p.manyToOne(Organization).mapToPk().primary().deleteRule('cascade').index(false),
    /** SHA-256 of the questions, as PostgreSQL writes them. */
    hash: p.blob().primary(),
    questions: p.json<Question[]>(),
    /** Since when no version has it, as a trigger notes; null while one has. */
    unused_since: timestamp().nullable(),
  },
  indexes: [
    {
      name: 'form_content_unused_since_index',
      expression:
        'create index "form_content_unused_since_index" on "form_content" ("unused_since") where "unused_since" is not null',
    },
  ],
});
