import { canSeeEmail } from '../../domain/user/user.policy.ts';
import { knownUserLoader, type UserRow, userLoader } from '../../domain/user/user.ts';
import { withViewer } from '../../engine/context.ts';
import { builder } from '../builder/builder.ts';
import { Selection } from '../builder/selection.ts';
import { oneNode } from '../relay/field-costs.ts';
import { nodeFields } from '../relay/node-fields.ts';
import { defineNode } from '../relay/node-types.ts';

export const User = builder.objectRef<UserRow>('User');

defineNode('User', {
  organizational: (id, viewerId) => id !== viewerId,
  loader: (ctx, selection, id) =>
    (id === withViewer(ctx).viewer.userId ? userLoader : knownUserLoader)(ctx, selection.columns()),
});

User.implement({
  description: 'A person, who can belong to any number of organizations.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...nodeFields(t, 'User'),
    name: t.exposeString('name', { description: 'Name, 1 to 200 characters.', extensions: { columns: ['name'] } }),
    avatarUrl: t.exposeString('avatar_url', {
      nullable: true,
      description: 'URL of a picture.',
      extensions: { columns: ['avatar_url'] },
    }),
    email: t.string({
      nullable: true,
      description:
        'E-mail address; null unless the user is the viewer, or the viewer is a manager or owner of the organization.',
      extensions: { columns: ['email'] },
      resolve: (user, _args, ctx) => (canSeeEmail(ctx, user.id) ? user.email : null),
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: User,
    description: 'The signed-in user.',
    extensions: { cost: oneNode, access: 'viewer' },
    resolve: (_root, _args, ctx, info) =>
      userLoader(ctx, Selection.answer(info).columns()).load(withViewer(ctx).viewer.userId) as Promise<UserRow>,
  }),
);
