import { defineEntity, p } from '@mikro-orm/core';
import { created_at } from '../../engine/columns.ts';
import { FormContent } from '../form/form-content.table.ts';
import { Event } from './event.entity.ts';

/** Never changes, so that answers keep their questions. */
export const FormVersion = defineEntity({
  name: 'FormVersion',
  tableName: 'form_version',
  properties: {
    event_id: () => p.manyToOne(Event).mapToPk().primary().deleteRule('cascade').index(false),
    version: p.integer().primary(),
    content: () =>
      p
        .manyToOne(FormContent)
        .joinColumns('organization_id', 'hash')
        .deleteRule('no action')
        .updateRule('no action')
        .index(),
    created_at: created_at(),
  },
});
