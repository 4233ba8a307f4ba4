import { changePassword } from '../../domain/account/change-password.ts';
import { eraseViewer } from '../../domain/leaving/erase-viewer.ts';
import { endOtherSessions, endOwnSession, ownSessions } from '../../domain/session/own-sessions.ts';
import { getProfile } from '../../domain/session/profile.read.ts';
import { type SessionRow, sessionResource } from '../../domain/session/session.resource.ts';
import { updateProfile } from '../../domain/user/update-profile.ts';
import { commandRoute } from '../server/command-route.ts';
import { listRoutes } from '../server/list.routes.ts';
import { sessionSchema } from '../server/resource.schemas.ts';
import type { Route } from '../server/route.ts';
import { presentProfile, profileSchema } from './auth.presenter.ts';

const erasing = { tag: 'auth', command: eraseViewer } as const;

/** The viewer's account and sessions, which need no organization. */
export const sessionRoutes: Route[] = [
  ...listRoutes<'user', SessionRow>({
    path: '/auth/sessions',
    name: 'Sessions',
    read: 'sessions',
    summary: "Lists the viewer's active sessions, oldest first.",
    tag: 'auth',
    access: 'user',
    projection: { resource: sessionResource, relations: [] },
    item: sessionSchema,
    ...ownSessions,
  }),
  commandRoute({
    method: 'delete',
    path: '/auth/sessions/{session}',
    operationId: 'endSession',
    summary: "Ends one of the viewer's sessions, with its access tokens.",
    tag: 'auth',
    command: endOwnSession,
    object: 'session',
  }),
  commandRoute({
    method: 'delete',
    path: '/auth/sessions',
    operationId: 'endOtherSessions',
    summary: "Ends all of the viewer's sessions except the current one.",
    tag: 'auth',
    command: endOtherSessions,
  }),
  commandRoute({
    method: 'post',
    path: '/auth/change-password',
    operationId: 'changePassword',
    summary: "Changes the viewer's password, and ends all other sessions and the secret calendar address.",
    tag: 'auth',
    command: changePassword,
  }),
  commandRoute({
    method: 'patch',
    path: '/auth/me',
    operationId: 'updateProfile',
    summary: "Changes the viewer's name.",
    tag: 'auth',
    command: updateProfile,
    response: profileSchema,
    answer: async (ctx) => presentProfile(await getProfile(ctx)),
  }),
  commandRoute({
    ...erasing,
    method: 'delete',
    path: '/auth/me',
    operationId: 'eraseViewer',
    summary: 'Erases the account and everything that is kept about the signed-in user.',
    readDelete: (body) => body,
  }),
  commandRoute({
    ...erasing,
    method: 'post',
    path: '/auth/me/erase',
    operationId: 'eraseViewerByPost',
    summary: 'As `DELETE /auth/me`, for clients and proxies that drop the body of a DELETE.',
  }),
];
