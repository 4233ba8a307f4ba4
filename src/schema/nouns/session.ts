import { changePassword } from '../../domain/account/change-password.ts';
import { eraseViewer } from '../../domain/leaving/erase-viewer.ts';
import { endOtherSessions, endOwnSession, ownSessions } from '../../domain/session/own-sessions.ts';
import { type SessionRow, sessionResource } from '../../domain/session/session.resource.ts';
import { updateProfile } from '../../domain/user/update-profile.ts';
import type { ViewerContext } from '../../engine/context.ts';
import { builder } from '../builder/builder.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { Connection } from '../relay/connection.ts';
import { pageOfNodes } from '../relay/list-arguments.ts';
import { ownConnection, pagesOf } from '../relay/own-connection.ts';
import { removedId, resourceNode } from '../relay/resource-node.ts';
import { UserRef, viewerField } from './user.ts';

const Session = resourceNode<SessionRow>('Session', {
  description: 'A sign-in of the viewer on one device.',
  resource: sessionResource,
  loader: ownSessions.loader,
  organizational: false,
});

const sessionPages = pagesOf(Session, sessionResource, 'sessions');

builder.objectField(UserRef, 'sessions', (t) =>
  t.field({
    ...sessionPages,
    description: "The viewer's active sessions, oldest first; empty for any other user.",
    extensions: { read: 'sessions', cost: pageOfNodes },
    resolve: (user, args, ctx, info) => {
      if (user.id !== ctx.viewer?.userId)
        return new Connection<SessionRow>(null, async () => ({ value: 0, exact: true }));
      return ownConnection(info, args, ctx as ViewerContext, ownSessions);
    },
  }),
);

commandMutation(endOwnSession, (t) => ({
  endedSessionId: removedId(t, 'Session', 'The global id of the ended session.'),
}));
commandMutation(endOtherSessions, (t) => ({
  endedCount: t.exposeInt('count', { description: 'The number of sessions that ended.' }),
  viewer: viewerField(t),
}));
commandMutation(changePassword, (t) => ({ viewer: viewerField(t) }));
commandMutation(updateProfile, (t) => ({ viewer: viewerField(t) }));
commandMutation(eraseViewer, (t) => ({
  erased: t.boolean({ description: 'Always true; otherwise the mutation fails.', resolve: () => true }),
}));
