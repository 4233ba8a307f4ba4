import { changePassword, changePasswordInput } from '../domain/account/change-password.ts';
import { endOtherSessions, endOwnSession } from '../domain/session/own-sessions.ts';
import { updateProfile, updateProfileInput } from '../domain/user/update-profile.ts';
import type { UserRow } from '../domain/user/user.ts';
import { signedIn } from './access.ts';
import { builder, type Types } from './builder.ts';
import { oneNode } from './cost.ts';
import { globalId, parseEitherId } from './global-id.ts';
import { asViewer, checkInput } from './mutation.ts';
import { Selection } from './selection.ts';
import { User, userColumns } from './user.ts';

type PayloadFields<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>;
const viewerAccess = { access: () => 'viewer' as const };

function viewerField(t: PayloadFields<object>) {
  return t.field({
    type: User,
    description: 'Who is signed in.',
    extensions: { cost: oneNode },
    resolve: (_payload, _args, ctx, info) =>
      ctx.loaders.user(userColumns(Selection.answer(info))).load(signedIn(ctx).userId) as Promise<UserRow>,
  });
}

builder.relayMutationField(
  'endSession',
  {
    description: 'Which session is to end.',
    inputFields: (t) => ({
      id: t.id({ required: true, description: 'The global id or the `databaseId` of an own session.' }),
    }),
  },
  {
    description: 'Ends one of the own sessions, with its access tokens.',
    extensions: viewerAccess,
    resolve: async (_root, { input }, ctx) => {
      const id = parseEitherId(input.id, 'Session') ?? '';
      await asViewer(ctx, (own) => endOwnSession(own, id));
      return { id };
    },
  },
  {
    description: 'What came of it.',
    outputFields: (t) => ({
      endedSessionId: t.id({
        description: 'The global id of the session that ended.',
        resolve: ({ id }) => globalId('Session', id),
      }),
    }),
  },
);

builder.relayMutationField(
  'endOtherSessions',
  { description: 'Takes nothing further.', inputFields: () => ({}) },
  {
    description: 'Ends all the own sessions but the one of this request.',
    extensions: viewerAccess,
    resolve: async (_root, _args, ctx) => ({ count: await asViewer(ctx, endOtherSessions) }),
  },
  {
    description: 'What came of it.',
    outputFields: (t) => ({
      endedCount: t.int({ description: 'How many sessions ended.', resolve: ({ count }) => count }),
      viewer: viewerField(t as unknown as PayloadFields<object>),
    }),
  },
);

builder.relayMutationField(
  'changePassword',
  {
    description: 'The password of now and the one to come.',
    inputFields: (t) => ({
      currentPassword: t.string({ required: true, description: 'The password of now.' }),
      password: t.string({ required: true, description: 'The new password, 8 to 256 characters.' }),
    }),
  },
  {
    description: 'Changes the own password, and ends all the other sessions.',
    extensions: viewerAccess,
    resolve: async (_root, { input }, ctx) => {
      const fields = { current_password: input.currentPassword, password: input.password };
      await asViewer(ctx, (own) => changePassword(own, checkInput(changePasswordInput, fields)));
      return {};
    },
  },
  {
    description: 'What came of it.',
    outputFields: (t) => ({ viewer: viewerField(t as unknown as PayloadFields<object>) }),
  },
);

builder.relayMutationField(
  'updateProfile',
  {
    description: 'What is to change.',
    inputFields: (t) => ({ name: t.string({ required: true, description: 'Name, 1 to 200 characters.' }) }),
  },
  {
    description: 'Changes the own name.',
    extensions: viewerAccess,
    resolve: async (_root, { input }, ctx) => {
      await asViewer(ctx, (own) => updateProfile(own, checkInput(updateProfileInput, { name: input.name })));
      return {};
    },
  },
  {
    description: 'What came of it.',
    outputFields: (t) => ({ viewer: viewerField(t as unknown as PayloadFields<object>) }),
  },
);
