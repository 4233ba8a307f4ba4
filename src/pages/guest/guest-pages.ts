import express, { type Request, type Response, type Router } from 'express';
import { currentForm } from '../../domain/event/event-form.ts';
import { confirmGuestSubscription } from '../../domain/guest/confirm-subscription.ts';
import { lookUpRequest } from '../../domain/guest/guest-request.ts';
import { cancelOwnSubscription, changeOwnAnswers, lookUpSubscription } from '../../domain/guest/own-link.ts';
import { eraseGuest } from '../../domain/leaving/erase-guest.ts';
import { organizerHost } from '../../domain/public/organizer.ts';
import { isLive } from '../../domain/subscription/subscription.state.ts';
import type { Context } from '../../engine/context.ts';
import { statusOf } from '../../http/errors.ts';
import { receivedBody } from '../../http/exchange.ts';
import { receivedForm } from '../../http/form-body.ts';
import { DomainError } from '../../kernel/errors.ts';
import { answersIn, faultsOf, typedIn, typedText } from '../form/filled-form.ts';
import { type HtmlPage, sendPage } from '../html-page.ts';
import { onlyAllows } from '../only-allows.ts';
import { guestPaths, parametersOf } from '../page-paths.ts';
import { confirmedPage, confirmPage, type RequestView } from './confirm-page.ts';
import { type FormOutcome, messagePage } from './frame.ts';
import { erasePage, leavePage, type OwnView, ownPage } from './own-page.ts';
import { erased, incomplete, refusalWords } from './words.ts';

export interface GuestPagesOptions {
  createContext(request: Request): Context;
}

interface Visit {
  ctx: Context;
  token: string;
  /** Null if the link was only opened. */
  sent: URLSearchParams | null;
}

/**
 * The pages behind the links in mails to guests, with or without JavaScript. Opening one changes nothing, since mail scanners
 * follow links. The page after a form has no token in its address; sending the form again changes nothing more.
 */
export function guestPages({ createContext }: GuestPagesOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const mount = (path: string, answer: (visit: Visit) => Promise<HtmlPage>) => {
    const send = async (request: Request, response: Response, sent: URLSearchParams | null) => {
      const token = (sent ?? parametersOf(request)).get('token') ?? '';
      const page =
        token === '' ? messagePage(incomplete, 400) : await answer({ ctx: createContext(request), token, sent });
      sendPage(response, page);
    };
    router
      .route(path)
      .get(async (request, response) => {
        receivedBody(request);
        await send(request, response, null);
      })
      .post(async (request, response) => await send(request, response, receivedForm(request)))
      .all(onlyAllows('GET, HEAD, POST'));
  };
  mount(guestPaths.confirm, (visit) => orRefusal(confirm(visit)));
  mount(guestPaths.own, (visit) => orRefusal(own(visit)));
  return router;
}

async function confirm(visit: Visit): Promise<HtmlPage> {
  const { ctx, token, sent } = visit;
  const view = await openRequest(visit);
  if (sent === null) return confirmPage(view);
  const { version, questions } = view.form;
  const typed = typedIn(sent);
  const shown = typed.has('form_version') ? typed : null;
  if (shown && typedText(shown, 'form_version') !== String(version)) {
    return confirmPage(view, { typed: shown, message: { ...otherRequestForm, look: 'bad' }, status: 409 });
  }
  // without the fields of the page, the request is confirmed as it was made
  const given = shown && {
    name: typedText(shown, 'name'),
    answers: answersIn(shown, questions),
    form_version: version,
  };
  try {
    const { status } = await confirmGuestSubscription(ctx, { token, ...given });
    return confirmedPage(view, status);
  } catch (error) {
    if (!(error instanceof DomainError) || shown === null) throw error;
    if (error.code === 'VALIDATION_ERROR') {
      return confirmPage(view, { typed, faults: faultsOf(error.issues ?? [], questions, typed), status: 422 });
    }
    if (error.code !== 'CONFLICT') throw error;
    return confirmPage(await openRequest(visit), { typed, message: { ...otherRequestForm, look: 'bad' }, status: 409 });
  }
}

async function openRequest({ ctx, token }: Visit): Promise<RequestView> {
  const request = await lookUpRequest(ctx, { token });
  return { token, request, ...(await aroundEvent(ctx, request.event)) };
}

async function own(visit: Visit): Promise<HtmlPage> {
  const { ctx, token, sent } = visit;
  const view = await openOwn(visit);
  switch (sent?.get('do')) {
    case 'answer':
      return await answer(visit, view, sent);
    case 'ask':
      return leavePage(view);
    case 'ask-erase':
      return erasePage(view);
    case 'erase':
      await eraseGuest(ctx, { token });
      return messagePage(erased, 200);
    case 'cancel':
      try {
        await cancelOwnSubscription(ctx, { token });
      } catch (error) {
        return await ownPage(await openOwn(visit), refused(error));
      }
      return await ownPage(await openOwn(visit), {
        message: {
          title: 'Thank you for telling us',
          text: 'If you change your mind, you can subscribe again as long as places are left.',
          look: 'good',
        },
      });
    default:
      return await ownPage(view);
  }
}

async function openOwn({ ctx, token }: Visit): Promise<OwnView> {
  const subscription = await lookUpSubscription(ctx, { token });
  return { token, subscription, ...(await aroundEvent(ctx, subscription.event)), now: ctx.now };
}

async function aroundEvent({ db }: Context, { id }: { id: string }) {
  const [form, host] = await Promise.all([currentForm(db, id), organizerHost({ db }, id)]);
  return { form, host };
}

const otherRequestForm = {
  title: 'The form has changed',
  text: 'The organizer has changed the questions in the meantime, so nothing was confirmed. Please check your answers and confirm again.',
};

const otherForm = {
  title: 'The form has changed',
  text: 'The organizer has changed the questions in the meantime, so nothing was saved. Please check your answers and save them again.',
};

async function answer(visit: Visit, view: OwnView, sent: URLSearchParams): Promise<HtmlPage> {
  const { ctx, token } = visit;
  const { version, questions } = view.form;
  const typed = typedIn(sent);
  // once the holder may no longer see the event, not even the form's version is revealed
  if (isLive(view.subscription.status) && typedText(typed, 'form_version') !== String(version)) {
    return await ownPage(view, { typed, message: { ...otherForm, look: 'bad' }, status: 409 });
  }
  try {
    const answers = answersIn(typed, questions);
    const subscription = await changeOwnAnswers(ctx, { token, answers, form_version: version });
    return await ownPage(
      { ...view, subscription },
      { message: { title: 'Saved', text: 'These are now your answers.', look: 'good' } },
    );
  } catch (error) {
    if (error instanceof DomainError && error.code === 'VALIDATION_ERROR') {
      return await ownPage(view, { typed, faults: faultsOf(error.issues ?? [], questions, typed), status: 422 });
    }
    // the questions or the subscription may have changed: show the current ones
    return await ownPage(await openOwn(visit), { typed, ...refused(error) });
  }
}

/** A refusal that the page of the subscription shows. */
function refused(error: unknown): FormOutcome {
  if (!(error instanceof DomainError)) throw error;
  const words = error.code === 'CONFLICT' ? otherForm : refusalWords(error);
  if (words === null) throw error;
  return { message: { ...words, look: 'bad' }, status: statusOf(error) };
}

async function orRefusal(working: Promise<HtmlPage>): Promise<HtmlPage> {
  try {
    return await working;
  } catch (error) {
    const words = error instanceof DomainError ? refusalWords(error) : null;
    if (words === null) throw error;
    return messagePage(words, statusOf(error as DomainError));
  }
}
