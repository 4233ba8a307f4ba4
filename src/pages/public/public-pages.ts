import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { nextTurn } from '#fair-turns';
import { publicPath } from '../../domain/event/event-address.ts';
import { requestGuestSubscription } from '../../domain/guest/request-subscription.ts';
import { findOrganizer } from '../../domain/public/organizer.ts';
import { publicEventResource } from '../../domain/public/public-event.resource.ts';
import {
  countUpcomingEvents,
  getPublicEvent,
  listUpcomingEvents,
  publicFormLoader,
} from '../../domain/public/public-events.ts';
import { enterPublicScopeOf, type PublicContext } from '../../domain/public/public-scope.ts';
import type { Context } from '../../engine/context.ts';
import { type Condition, canonicalize, isEverything, type LeafOperator } from '../../engine/list/condition.ts';
import { receivedBody } from '../../http/exchange.ts';
import { receivedForm } from '../../http/form-body.ts';
import { sendNotModified, sharedResponse, sharedSeconds } from '../../http/shared-response.ts';
import { DomainError } from '../../kernel/errors.ts';
import { pathBelow } from '../../kernel/path-below.ts';
import { answersIn, faultsOf, noFaults, typedIn, typedText } from '../form/filled-form.ts';
import { sendPage } from '../html-page.ts';
import { onlyAllows } from '../only-allows.ts';
import { parametersOf } from '../page-paths.ts';
import { type Attempt, type EventView, eventPage, sentPage } from './event-page.ts';
import { listColumns, listPage, type Sought } from './list-page.ts';

export interface PublicPagesOptions {
  /** Without a slash at the end. */
  publicUrl: string;
  createContext(request: Request): Context;
}

const pageSize = 20;
/** Among more events to come than this, visitors can search. */
const manyEvents = 30;

const quarter = 900_000;

const eventColumns = Object.keys(publicEventResource.fields);

/** A cached page of another version of the service is not up to date. */
const codeVersion = hashOfCode(['..', '../../kernel/input'].map((folder) => path.join(import.meta.dirname, folder)));

/** For everyone, with or without JavaScript (reference/pages.md#organization-pages). */
export function publicPages({ publicUrl, createContext }: PublicPagesOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  // redirects keep the host that the client addressed, which may have several names
  const base = pathBelow(publicUrl);

  router
    .route('/o/:organization')
    .all(unlessFile)
    .get(async (request, response) => {
      receivedBody(request);
      const ctx = createContext(request);
      const scope = await enterPublicScopeOf(ctx, request.params.organization);
      // "today" changes at midnight of each zone, whose offsets are quarters of an hour
      const shared = sharedResponse(request, scope, `${codeVersion} ${Math.floor(ctx.now.getTime() / quarter)}`);
      if (sendNotModified(response, shared)) return;
      const parameters = parametersOf(request);
      const sought = soughtIn(parameters);
      const where = whereOf(sought);
      const paging = { by: 'token', token: parameters.get('token'), sort: 1, size: pageSize } as const;
      const page = await listUpcomingEvents(ctx, { columns: listColumns, paging, where });
      if (sendNotModified(response, shared, shared.any)) return;
      const hasPages = page.hasNext || page.hasPrevious;
      const isLong =
        !isEverything(where) || (hasPages && (await countUpcomingEvents(ctx, manyEvents + 1)) > manyEvents);
      const organizer = await findOrganizer(ctx);
      // its description may take long
      await nextTurn();
      sendPage(response, { ...listPage({ scope, organizer, page, sought, isLong, now: ctx.now }, publicUrl), shared });
    })
    .all(onlyAllows('GET, HEAD'));

  router
    .route('/o/:organization/:event')
    .all(unlessFile)
    .get(async (request, response) => {
      receivedBody(request);
      const ctx = createContext(request);
      const view = await openEvent(ctx, request.params);
      if (isMoved(request, response, view)) return;
      if (parametersOf(request).has('sent')) {
        sendPage(response, sentPage({ ...view, organizer: await findOrganizer(ctx) }));
        return;
      }
      const shared = sharedResponse(request, view.scope, `${codeVersion} ${view.left}`);
      if (sendNotModified(response, shared, shared.known || shared.any)) return;
      sendPage(response, { ...(await eventPage(await complete(ctx, view), publicUrl)), shared });
    })
    .post(async (request, response) => {
      const sent = receivedForm(request);
      const ctx = createContext(request);
      const view = await openEvent(ctx, request.params);
      if (isMoved(request, response, view)) return;
      const refusal = await subscribe(ctx as PublicContext, await complete(ctx, view), sent);
      if (refusal === null) {
        response.set('cache-control', 'no-store');
        response.redirect(303, `${base}${publicPath(view.scope.slug, view.event.slug)}?sent`);
        return;
      }
      // the event may have filled up: show its current state
      const now = await complete(ctx, await openEvent(ctx, request.params));
      sendPage(response, { ...(await eventPage(now, publicUrl, refusal)), status: refusal.status });
    })
    .all(onlyAllows('GET, HEAD, POST'));

  function isMoved(request: Request, response: Response, { scope, event }: FoundEvent): boolean {
    if (request.params.event === event.slug) return false;
    // browsers keep an unlimited redirect forever, but another event may get the former slug
    response.set('cache-control', `public, max-age=${sharedSeconds}`);
    response.redirect(308, base + publicPath(scope.slug, event.slug));
    return true;
  }

  return router;
}

/** What does not make sense is left out. */
function soughtIn(parameters: URLSearchParams): Sought {
  const name = parameters.get('name')?.trim() ?? '';
  const month = parameters.get('month') ?? '';
  return {
    name: name.isWellFormed() && !name.includes('\0') ? [...name].slice(0, 200).join('') : '',
    month: /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && month >= '1900' ? month : '',
  };
}

function whereOf({ name, month }: Sought): Condition {
  const leaf = (field: string, operator: LeafOperator, value: string): Condition => ({
    ...{ kind: 'leaf', field, operator, value, nullable: false, negated: false },
  });
  const items = [
    ...(name === '' ? [] : [leaf('name', 'contains', name)]),
    ...(month === '' ? [] : [leaf('date_start', 'gte', `${month}-01T00:00:00.000Z`)]),
  ];
  return canonicalize({ kind: 'and', items });
}

type FoundEvent = Omit<EventView, 'form' | 'organizer'>;

async function openEvent(
  ctx: Context,
  { organization, event: slug }: { organization: string; event: string },
): Promise<FoundEvent> {
  const scope = await enterPublicScopeOf(ctx, organization);
  const event = await getPublicEvent(ctx, { slug }, [...eventColumns, 'places_left']);
  return { scope, event, left: event.places_left ?? null, now: ctx.now };
}

async function complete(ctx: Context, view: FoundEvent): Promise<EventView> {
  const [form, organizer] = await Promise.all([publicFormLoader(ctx).load(view.event.id), findOrganizer(ctx)]);
  if (!form) throw new DomainError('NOT_FOUND');
  return { ...view, form, organizer };
}

const otherForm =
  'The organizer has changed the form in the meantime, so nothing was sent. Here is the new one: please check your answers and send it again.';

/** Null if the mail was requested. */
async function subscribe(
  ctx: PublicContext,
  { event, form: { version, questions } }: EventView,
  sent: URLSearchParams,
): Promise<(Attempt & { status: number }) | null> {
  const typed = typedIn(sent);
  const refused = (status: number, notice: string) => ({ typed, faults: noFaults, status, notice });
  const answered = typed.get('form_version')?.[0];
  if (answered !== undefined && answered !== String(version)) return refused(409, otherForm);
  const person = { name: typedText(typed, 'name'), email: typedText(typed, 'email').trim() };
  const input = { ...person, answers: answersIn(typed, questions), form_version: version };
  try {
    await requestGuestSubscription(ctx, event.slug, input);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'EVENT_FULL') return refused(409, 'The last place has just been taken, so nothing was sent.');
    if (error.code === 'REGISTRATION_CLOSED') return refused(409, 'Registration is closed, so nothing was sent.');
    if (error.code === 'VALIDATION_ERROR') {
      return { typed, faults: faultsOf(error.issues ?? [], questions, typed), status: 422 };
    }
    throw error;
  }
}

/** Leaves calendars to their routes. */
function unlessFile({ path: target }: Request, _response: Response, next: NextFunction): void {
  next(target.endsWith('.ics') ? 'route' : undefined);
}

function hashOfCode(folders: readonly string[]): string {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  );
  const texts = files
    .filter((file) => /\.[jt]s$/.test(file))
    .sort()
    .map((file) => readFileSync(file, 'utf8'));
  return hash('sha256', JSON.stringify(texts), 'base64url');
}
