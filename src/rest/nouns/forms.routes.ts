import { z } from 'zod';
import { getForm, parseFormVersion } from '../../domain/event/event-form.ts';
import { setEventForm } from '../../domain/event/set-event-form.ts';
import { question, questionList } from '../../domain/form/question.ts';
import { faults } from '../../kernel/errors.ts';
import { commandRoute, versionTag, versionTagDoc } from '../server/command-route.ts';
import { queryDocs, route, tagged } from '../server/route.ts';

// several schemas refer to questions by this name
z.globalRegistry.add(question, { id: 'Question' });

export const formSchema = z
  .strictObject({
    version: z.int().min(0).meta({ description: 'Increases by one with each change; 0 if there is no form.' }),
    questions: questionList,
  })
  .meta({ id: 'Form' });

export const formRoutes = tagged('events', [
  route('GET /events/{event}/form', 'getEventForm', {
    read: 'eventForm',
    summary: 'The form that subscribers to an event fill in.',
    access: 'organization',
    parameters: queryDocs({
      version: { type: 'integer', minimum: 0, description: 'A version of the form; the current one if absent.' },
    }),
    response: formSchema,
    headers: { ETag: versionTagDoc },
    errors: ['INVALID_QUERY', 'NOT_FOUND'],
    handle: async ({ ctx, params, query: { values, issues }, response }) => {
      if (issues.length > 0) throw faults('INVALID_QUERY', issues);
      const form = await getForm(ctx, params.event ?? '', parseFormVersion(values.version));
      response.set('etag', versionTag(form.version));
      return form;
    },
  }),
  commandRoute('PUT /events/{event}/form', setEventForm, {
    response: formSchema,
    answer: (_ctx, { version, questions }) => ({ version, questions }),
    versionTag: true,
  }),
]);
