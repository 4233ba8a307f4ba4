import { defineEntity, p } from '@mikro-orm/core';
import { id, timestamp } from '../../engine/columns.ts';
import type { ChangeRow } from '../change/change-view.ts';
import { Webhook } from './webhook.entity.ts';

/**
 * A change that waits: for another try, behind an earlier one of its object, or for an answer that takes long. The row goes once
 * the change is delivered or given up (note 0059).
 */
export const WebhookDue = defineEntity({
  name: 'WebhookDue',
  tableName: 'webhook_due',
  properties: {
    id: id(),
    webhook_id: () => p.manyToOne(Webhook).mapToPk().deleteRule('cascade').index(false),
    organization_id: p.uuid(),
    change_id: p.uuid(),
    /** Its number in the log: changes of one object are sent in this order. */
    seq: p.bigint('string'),
    kind: p.string().length(20),
    /** The object; the change itself if it is about none. */
    object_id: p.uuid(),
    change: p.json<ChangeRow>(),
    /** How many tries were recorded. */
    attempts: p.integer().default(0),
    /** How many tries of the schedule failed. */
    step: p.integer().default(0),
    first_tried_at: timestamp().nullable(),
    due_at: timestamp(),
    /** Whether it waits for an earlier change of its object. */
    held: p.boolean().default(false),
  },
  indexes: [
    {
      name: 'webhook_due_change_unique',
      expression: 'create unique index "webhook_due_change_unique" on "webhook_due" ("webhook_id", "change_id")',
    },
    { name: 'webhook_due_object_index', properties: ['webhook_id', 'kind', 'object_id', 'seq'] },
    {
      name: 'webhook_due_due_at_index',
      expression:
        'create index "webhook_due_due_at_index" on "webhook_due" ("webhook_id", "due_at", "seq") where not "held"',
    },
    {
      // nearly empty, so that most changes are found to be alone at the cost of one page
      name: 'webhook_due_held_index',
      expression:
        'create index "webhook_due_held_index" on "webhook_due" ("webhook_id", "kind", "object_id", "seq") where "held"',
    },
  ],
});
