import { changePassword } from '../../domain/account/change-password.ts';
import { eraseViewer } from '../../domain/leaving/erase-viewer.ts';
import { endOtherSessions, endOwnSession } from '../../domain/session/own-sessions.ts';
import { updateProfile } from '../../domain/user/update-profile.ts';
import { type UserRow, userLoader } from '../../domain/user/user.ts';
import { withViewer } from '../../engine/context.ts';
import type { Types } from '../builder/builder.ts';
import { Selection } from '../builder/selection.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { oneNode } from '../relay/field-costs.ts';
import { removedId } from '../relay/resource-node.ts';
import { UserRef } from './user.ts';

function viewerField<Parent extends object>(t: PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>) {
  return t.field({
    type: UserRef,
    description: 'The signed-in user.',
    extensions: { cost: oneNode },
    resolve: (_payload, _args, ctx, info) =>
      userLoader(ctx, Selection.answer(info).columns()).load(withViewer(ctx).viewer.userId) as Promise<UserRow>,
  });
}

commandMutation({
  name: 'endSession',
  description: "Ends one of the viewer's sessions, with its access tokens.",
  command: endOwnSession,
  object: { field: 'id', noun: 'session' },
  parent: (_result, { id }) => ({ id }),
  payload: (t) => ({
    endedSessionId: removedId(t, 'Session', 'The global id of the ended session.'),
  }),
});

commandMutation({
  name: 'endOtherSessions',
  description: "Ends all of the viewer's sessions except the current one.",
  command: endOtherSessions,
  parent: (count) => ({ count }),
  payload: (t) => ({
    endedCount: t.int({ description: 'The number of sessions that ended.', resolve: ({ count }) => count }),
    viewer: viewerField(t),
  }),
});

commandMutation({
  name: 'changePassword',
  description: "Changes the viewer's password, and ends all other sessions and the secret calendar address.",
  command: changePassword,
  parent: () => ({}),
  payload: (t) => ({ viewer: viewerField(t) }),
});

commandMutation({
  name: 'updateProfile',
  description: "Changes the viewer's name.",
  command: updateProfile,
  parent: () => ({}),
  payload: (t) => ({ viewer: viewerField(t) }),
});

commandMutation({
  name: 'eraseViewer',
  description: 'Erases the account and everything that is kept about the signed-in user.',
  command: eraseViewer,
  parent: () => ({}),
  payload: (t) => ({
    erased: t.boolean({ description: 'Always true; otherwise the mutation fails.', resolve: () => true }),
  }),
});
