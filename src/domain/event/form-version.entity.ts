import { defineEntity, p } from '@mikro-orm/core';
import { FormContent } from '../form/form-content.entity.ts';
import { Event } from './event.entity.ts';

const FormVersionSchema = defineEntity({
  name: 'FormVersion',
  tableName: 'form_version',
  properties: {
    event: () => p.manyToOne(Event).ref().primary().deleteRule('cascade').index(false),
    /** From 1; one more with each change of the questions. */
    version: p.integer().primary(),
    content: () =>
      p
        .manyToOne(FormContent)
        .ref()
        .joinColumns('organization_id', 'hash')
        .deleteRule('no action')
        .updateRule('no action')
        .index('form_version_organization_id_hash_index'),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
});

/** One version of the form of an event; a version never changes, so that answers keep their questions. */
export class FormVersion extends FormVersionSchema.class {}
FormVersionSchema.setClass(FormVersion);
