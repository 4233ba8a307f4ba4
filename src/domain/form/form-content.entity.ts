import { defineEntity, p } from '@mikro-orm/core';
import { Organization } from '../organization/organization.entity.ts';
import type { Question } from './question.ts';

const FormContentSchema = defineEntity({
  name: 'FormContent',
  tableName: 'form_content',
  properties: {
    organization: () => p.manyToOne(Organization).ref().primary().deleteRule('cascade').index(false),
    /** SHA-256 of the questions, as PostgreSQL writes them. */
    hash: p.blob().primary(),
    questions: p.json<Question[]>(),
    /** Since when no version has it, as a trigger notes; null while one has. */
    unusedSince: p.datetime(3).nullable(),
  },
  indexes: [
    {
      name: 'form_content_unused_since_index',
      expression:
        'create index "form_content_unused_since_index" on "form_content" ("unused_since") where "unused_since" is not null',
    },
  ],
});

/** What forms of an organization ask, once for all versions and copies that ask the same. */
export class FormContent extends FormContentSchema.class {}
FormContentSchema.setClass(FormContent);
