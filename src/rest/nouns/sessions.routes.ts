import { changePassword } from '../../domain/account/change-password.ts';
import { eraseViewer } from '../../domain/leaving/erase-viewer.ts';
import { endOtherSessions, endOwnSession, ownSessions } from '../../domain/session/own-sessions.ts';
import { getProfile } from '../../domain/session/profile.read.ts';
import { sessionResource } from '../../domain/session/session.resource.ts';
import { updateProfile } from '../../domain/user/update-profile.ts';
import { commandRoute } from '../server/command-route.ts';
import { listRoutes } from '../server/list.routes.ts';
import { viewOf } from '../server/list.schema.ts';
import { tagged } from '../server/route.ts';
import { profileSchema } from './auth.routes.ts';

export const sessionRoutes = tagged('auth', [
  ...listRoutes('auth/sessions', 'Sessions', {
    ...ownSessions,
    view: viewOf(sessionResource, 'Session'),
    summary: "Lists the viewer's active sessions, oldest first.",
  }),
  commandRoute('DELETE /auth/sessions/{session}', endOwnSession),
  commandRoute('DELETE /auth/sessions', endOtherSessions),
  commandRoute('POST /auth/change-password', changePassword),
  commandRoute('PATCH /auth/me', updateProfile, { response: profileSchema, answer: getProfile }),
  commandRoute('DELETE /auth/me', eraseViewer, { readDelete: (body) => body }),
  commandRoute('POST /auth/me/erase', eraseViewer, {
    operationId: 'eraseViewerByPost',
    summary: 'As `DELETE /auth/me`, for clients and proxies that drop the body of a DELETE.',
  }),
]);
