import { defineEntity, p } from '@mikro-orm/core';
import { created_at } from '../../engine/columns.ts';
import { FormContent } from '../form/form-content.table.ts';
import { Event } from './event.entity.ts';

/** A version of the form of an event; it never changes, so that answers keep their questions. */
export const FormVersion = defineEntity({
  name: 'FormVersion',
  tableName: 'form_version',
  properties: {
    event_id: () => p.manyToOne(Event).mapToPk().primary().deleteRule('cascade').index(false),
    /** Starts at 1 and increases by one with each change of the questions. */
    version: p.integer().primary(),
    content: () =>
      p
        .manyToOne(FormContent)

        .joinColumns('organization_id', 'hash')
        .deleteRule('no action')
        .updateRule('no action')
        .index('form_version_organization_id_hash_index'),
    created_at: created_at(),
  },
});
