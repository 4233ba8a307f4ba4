import { defineEntity, p } from '@mikro-orm/core';
import { Event } from '../event/event.entity.ts';
import type { Question } from './question.ts';

const EventFormSchema = defineEntity({
  name: 'EventForm',
  tableName: 'event_form',
  properties: {
    event: () => p.manyToOne(Event).ref().primary().deleteRule('cascade').index(false),
    /** From 1; one more with each change of the questions. */
    version: p.integer().primary(),
    questions: p.json<Question[]>(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
});

/** One version of the form of an event; a version never changes, so that answers keep their questions. */
export class EventForm extends EventFormSchema.class {}
EventFormSchema.setClass(EventForm);
