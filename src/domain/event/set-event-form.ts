import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { command, forManagers } from '../../engine/command.ts';
import { requireVersion } from '../../engine/version-guard.ts';
import { recordEventChange } from '../change/change-log.ts';
import { type Question, questionList } from '../form/question.ts';
import { auditEvent } from './create-event.ts';
import { currentForm } from './event-form.ts';
import { lockEvent } from './lock-event.ts';
import { writeForm } from './write-form.ts';

const input = z.strictObject({ questions: questionList });

/** The same questions change nothing (reference/forms.md#versions). */
export const setEventForm = command({
  name: 'setEventForm',
  description: 'Sets the form of an event; a change creates its next version. For managers and owners.',
  object: 'event',
  versioned: true,
  large: true,
  ...forManagers,
  input,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  run: async (tx, { questions }, { id, guard }) => {
    const event = await lockEvent(tx, id);
    const form = await currentForm(tx.db, event.id);
    requireVersion(guard, form.version);
    if (isDeepStrictEqual(questions.map(normalized), form.questions.map(normalized)))
      return { event_id: event.id, ...form };
    const version = form.version + 1;
    await writeForm(tx, event.id, { version, questions });
    await auditEvent(tx, 'event.changed', event.id, { fields: ['form'] });
    const op = version === 1 ? 'created' : 'changed';
    recordEventChange(tx, event, { kind: 'form', op, actorId: tx.viewer.userId, version });
    return { event_id: event.id, version, questions };
  },
});

/** `required: false` is the same as absent. */
function normalized({ required, ...question }: Question): object {
  return required ? { ...question, required } : question;
}
