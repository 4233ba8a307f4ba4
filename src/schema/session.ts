import type { ViewerContext } from '../domain/context.ts';
import { countSessions, listSessions } from '../domain/session/own-sessions.ts';
import { type SessionRow, sessionResource } from '../domain/session/session.resource.ts';
import { builder } from './builder.ts';
import { Connection, connectionType, pageArguments } from './connection.ts';
import { pageOfNodes } from './cost.ts';
import { column, nodeFields } from './node-fields.ts';
import { ownConnection } from './own-connection.ts';
import { User } from './user.ts';
import { whereInput } from './where.ts';

const Session = builder.objectRef<SessionRow>('Session');

Session.implement({
  description: 'One sign-in of the viewer on one device.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...nodeFields(t, 'Session'),
    createdAt: t.expose('created_at', { ...column(sessionResource, 'created_at'), type: 'DateTime' }),
    lastUsedAt: t.expose('last_used_at', { ...column(sessionResource, 'last_used_at'), type: 'DateTime' }),
    expiresAt: t.expose('expires_at', { ...column(sessionResource, 'expires_at'), type: 'DateTime' }),
    ip: t.exposeString('ip', { ...column(sessionResource, 'ip'), nullable: true }),
    userAgent: t.exposeString('user_agent', { ...column(sessionResource, 'user_agent'), nullable: true }),
    current: t.exposeBoolean('current', column(sessionResource, 'current')),
  }),
});

const SessionConnection = connectionType(Session, 'sessions');
const SessionWhere = whereInput('SessionWhere', sessionResource);

builder.objectField(User, 'sessions', (t) =>
  t.field({
    type: SessionConnection,
    description: 'The sessions of the viewer that live, oldest first; empty on anyone else.',
    args: {
      where: t.arg({ type: SessionWhere, description: 'Only sessions for which this holds.' }),
      ...pageArguments,
    },
    extensions: { cost: pageOfNodes },
    resolve: (user, args, ctx, info) => {
      if (user.id !== ctx.viewer?.userId)
        return new Connection<SessionRow>(null, async () => ({ value: 0, exact: true }));
      const own = ctx as ViewerContext;
      return ownConnection(info, sessionResource, args, {
        list: (input) => listSessions(own, input),
        count: (where, max) => countSessions(own, where, max),
      });
    },
  }),
);
