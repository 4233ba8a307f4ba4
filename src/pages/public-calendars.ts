import express, { type Request, type Response, type Router } from 'express';
import { type CalendarFile, inCalendarTurn, sendCalendar } from '../calendar/send-calendar.ts';
import type { CalendarEvent } from '../domain/calendar/calendar-event.ts';
import { calendarDay, getPublicCalendarEvent, readPublicCalendar } from '../domain/calendar/public-calendar.ts';
import { enterPublicScopeOf } from '../domain/public/public-scope.ts';
import type { Context } from '../engine/context.ts';
import { allowCaching, sendNotModified, sharedResponse } from '../http/shared-response.ts';
import type { PublicScope } from '../kernel/request.ts';
import { onlyAllows } from './only-allows.ts';

export interface PublicCalendarOptions {
  createContext(request: Request): Context;
  publicUrl: string;
}

/**
 * An organization's calendar, and that of one public event (reference/calendars-and-exports.md#calendars). Programs poll them,
 * so an unchanged calendar costs one statement.
 */
export function publicCalendars({ createContext, publicUrl }: PublicCalendarOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const { host } = new URL(publicUrl);

  async function serve(
    request: Request,
    response: Response,
    read: (ctx: Context, scope: PublicScope, day: Date) => Promise<[CalendarEvent[], Omit<CalendarFile, 'host'>]>,
    inTurn: typeof inCalendarTurn = (_ctx, make) => make(),
  ): Promise<void> {
    const ctx = createContext(request);
    const scope = await enterPublicScopeOf(ctx, String(request.params.organization));
    const day = calendarDay(ctx.now);
    const shared = sharedResponse(request, scope, day.toISOString());
    if (sendNotModified(response, shared)) return;
    await inTurn(ctx, async () => {
      const [events, file] = await read(ctx, scope, day);
      if (sendNotModified(response, shared, shared.any)) return;
      allowCaching(response, shared);
      await sendCalendar(response, events, { ...file, host });
    });
  }

  router.get('/o/:organization/events.ics', (request, response) =>
    serve(
      request,
      response,
      async (ctx, { name, slug }, day) => [await readPublicCalendar(ctx, day), { name, fileName: `${slug}-events` }],
      inCalendarTurn,
    ),
  );
  router.get('/o/:organization/:event.ics', (request, response) =>
    serve(request, response, async (ctx) => {
      const event = await getPublicCalendarEvent(ctx, String(request.params.event));
      return [[event], { name: event.name, fileName: event.slug }];
    }),
  );
  router.all('/o/:organization/:event.ics', onlyAllows('GET, HEAD'));
  return router;
}
