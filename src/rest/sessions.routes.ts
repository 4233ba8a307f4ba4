import { z } from 'zod';
import { changePassword, changePasswordInput } from '../domain/account/change-password.ts';
import { countSessions, endOtherSessions, endOwnSession, listSessions } from '../domain/session/own-sessions.ts';
import { getProfile } from '../domain/session/profile.read.ts';
import { type SessionRow, sessionResource } from '../domain/session/session.resource.ts';
import { updateProfile, updateProfileInput } from '../domain/user/update-profile.ts';
import { presentProfile, profileSchema } from './auth.presenter.ts';
import { listRoutes } from './list.routes.ts';
import { sessionSchema } from './resource.schemas.ts';
import { type Route, route } from './route.ts';

/** The own account and its sessions: what needs a sign-in and no organization. */
export const sessionRoutes: Route[] = [
  ...listRoutes<'user', SessionRow>({
    path: '/auth/sessions',
    name: 'Sessions',
    listName: 'SessionList',
    summary: 'Lists the own sessions that live, oldest first.',
    tag: 'auth',
    access: 'user',
    projection: { resource: sessionResource, relations: [] },
    item: sessionSchema,
    list: listSessions,
    count: countSessions,
  }),
  route({
    method: 'delete',
    path: '/auth/sessions/{session}',
    operationId: 'endSession',
    summary: 'Ends one of the own sessions, with its access tokens.',
    tag: 'auth',
    access: 'user',
    response: z.literal(true),
    errors: ['NOT_FOUND'],
    async handle({ ctx, params }) {
      await endOwnSession(ctx, params.session ?? '');
      return true;
    },
  }),
  route({
    method: 'delete',
    path: '/auth/sessions',
    operationId: 'endOtherSessions',
    summary: 'Ends all the own sessions but the one of this request.',
    tag: 'auth',
    access: 'user',
    response: z.literal(true),
    errors: [],
    async handle({ ctx }) {
      await endOtherSessions(ctx);
      return true;
    },
  }),
  route({
    method: 'post',
    path: '/auth/change-password',
    operationId: 'changePassword',
    summary: 'Changes the own password, and ends all the other sessions.',
    tag: 'auth',
    access: 'user',
    body: changePasswordInput,
    response: z.literal(true),
    errors: ['INVALID_CREDENTIALS', 'WEAK_PASSWORD', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    async handle({ ctx, body }) {
      await changePassword(ctx, body);
      return true;
    },
  }),
  route({
    method: 'patch',
    path: '/auth/me',
    operationId: 'updateProfile',
    summary: 'Changes the own name.',
    tag: 'auth',
    access: 'user',
    body: updateProfileInput,
    response: profileSchema,
    errors: [],
    async handle({ ctx, body }) {
      await updateProfile(ctx, body);
      return presentProfile(await getProfile(ctx));
    },
  }),
];
