import { ownSessions } from '../../domain/session/own-sessions.ts';
import { type SessionRow, sessionResource } from '../../domain/session/session.resource.ts';
import type { ViewerContext } from '../../engine/context.ts';
import { builder } from '../builder/builder.ts';
import { ending } from '../builder/ending.ts';
import { Connection, connectionType } from '../relay/connection.ts';
import { pageOfNodes } from '../relay/field-costs.ts';
import { pageArguments } from '../relay/list-arguments.ts';
import { resourceFields } from '../relay/node-fields.ts';
import { defineNode } from '../relay/node-types.ts';
import { ownConnection } from '../relay/own-connection.ts';
import { whereInput } from '../relay/where.ts';
import { UserRef } from './user.ts';

const Session = builder.objectRef<SessionRow>('Session');

defineNode('Session', {
  organizational: false,
  loader: (ctx, selection) => ownSessions.loader(ctx, selection.columns()),
});

Session.implement({
  description: 'A sign-in of the viewer on one device.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...resourceFields(t, 'Session', sessionResource),
  }),
});

const SessionConnection = connectionType(Session, 'sessions');
const SessionWhere = whereInput('SessionWhere', sessionResource);

builder.objectField(UserRef, 'sessions', (t) =>
  t.field({
    ...ending('sessions'),
    type: SessionConnection,
    description: "The viewer's active sessions, oldest first; empty for any other user.",
    args: {
      where: t.arg({ type: SessionWhere, description: 'Only sessions that match this filter.' }),
      ...pageArguments,
    },
    extensions: { cost: pageOfNodes },
    resolve: (user, args, ctx, info) => {
      if (user.id !== ctx.viewer?.userId)
        return new Connection<SessionRow>(null, async () => ({ value: 0, exact: true }));
      return ownConnection(info, sessionResource, args, ctx as ViewerContext, ownSessions);
    },
  }),
);
