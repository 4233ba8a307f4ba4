import { z } from 'zod';
import { inCalendarTurn } from '../../calendar/calendar-turns.ts';
import { sendOwnCalendar } from '../../calendar/send-calendar.ts';
import { getCalendarEvent, readCalendar } from '../../domain/calendar/calendar.ts';
import { endCalendar, renewCalendar } from '../../domain/calendar/own-calendar.ts';
import { DomainError } from '../../kernel/errors.ts';
import { commandRoute } from '../server/command-route.ts';
import { type Route, route } from '../server/route.ts';
import { entityTagDoc, ifNoneMatchDoc } from '../server/shared-response.docs.ts';

const file = {
  response: z.string(),
  content: { 'text/calendar': { schema: { type: 'string' } } },
  parameters: [ifNoneMatchDoc],
  headers: { ETag: entityTagDoc },
};

/** Calendar files, and the secret address of the viewer's own calendar (interface/calendars-and-exports.md#calendars). */
export function calendarRoutes({ publicUrl }: { publicUrl: string }): Route[] {
  const { host } = new URL(publicUrl);
  return [
    route({
      method: 'get',
      path: '/events/{event}/calendar.ics',
      operationId: 'getEventCalendar',
      summary: 'One event as a calendar file.',
      tag: 'calendars',
      access: 'organization',
      ...file,
      errors: ['NOT_FOUND'],
      handle: async ({ ctx, params, request, response }) => {
        const event = await getCalendarEvent(ctx, params.event ?? '');
        await sendOwnCalendar(request, response, [event], { name: event.name, fileName: event.slug, host });
      },
    }),
    commandRoute({
      method: 'post',
      path: '/auth/calendar',
      operationId: 'renewCalendar',
      summary: "Creates a secret address for a calendar of the viewer's subscriptions; replaces the previous address.",
      tag: 'calendars',
      command: renewCalendar,
      response: z.strictObject({ url: z.url() }).meta({ id: 'CalendarAddress' }),
      answer: (_ctx, secret) => ({ url: `${publicUrl}/calendar/${secret}.ics` }),
    }),
    commandRoute({
      method: 'delete',
      path: '/auth/calendar',
      operationId: 'endCalendar',
      summary: "Revokes the secret address of the viewer's calendar, if there is one.",
      tag: 'calendars',
      command: endCalendar,
    }),
    route({
      method: 'get',
      path: '/calendar/{file}',
      operationId: 'getCalendar',
      summary: "The live subscriptions of the secret address's user, as a calendar file.",
      tag: 'calendars',
      access: 'none',
      ...file,
      errors: ['NOT_FOUND'],
      handle: async ({ ctx, params, request, response }) => {
        const [, secret] = /^(.+)\.ics$/.exec(params.file ?? '') ?? [];
        if (secret === undefined) throw new DomainError('NOT_FOUND');
        await inCalendarTurn(ctx, async () => {
          const events = await readCalendar(ctx, secret);
          await sendOwnCalendar(request, response, events, { name: 'My events', fileName: 'my-events', host });
        });
      },
    }),
  ];
}
