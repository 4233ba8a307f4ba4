import { z } from 'zod';
import { inCalendarTurn, sendOwnCalendar } from '../../calendar/send-calendar.ts';
import { getCalendarEvent, readCalendar } from '../../domain/calendar/calendar.ts';
import { endCalendar, renewCalendar } from '../../domain/calendar/own-calendar.ts';
import { DomainError } from '../../kernel/errors.ts';
import { commandRoute } from '../server/command-route.ts';
import { entityTagDoc, ifNoneMatchDoc } from '../server/openapi.headers.ts';
import { type Route, route, tagged } from '../server/route.ts';

const file = {
  response: z.string(),
  content: { 'text/calendar': { schema: { type: 'string' } } },
  parameters: [ifNoneMatchDoc],
  headers: { ETag: entityTagDoc },
};

/** Calendar files, and the secret address of the viewer's own calendar (reference/calendars-and-exports.md#calendars). */
export function calendarRoutes({ publicUrl }: { publicUrl: string }): Route[] {
  const { host } = new URL(publicUrl);
  return tagged('calendars', [
    route('GET /events/{event}/calendar.ics', 'getEventCalendar', {
      summary: 'One event as a calendar file.',
      access: 'organization',
      ...file,
      errors: ['NOT_FOUND'],
      handle: async ({ ctx, params, request, response }) => {
        const event = await getCalendarEvent(ctx, params.event ?? '');
        await sendOwnCalendar(request, response, [event], { name: event.name, fileName: event.slug, host });
      },
    }),
    commandRoute('POST /auth/calendar', renewCalendar, {
      response: z.strictObject({ url: z.url() }).meta({ id: 'CalendarAddress' }),
      answer: (_ctx, secret) => ({ url: `${publicUrl}/calendar/${secret}.ics` }),
    }),
    commandRoute('DELETE /auth/calendar', endCalendar),
    route('GET /calendar/{file}', 'getCalendar', {
      summary: "The live subscriptions of the secret address's user, as a calendar file.",
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
  ]);
}
