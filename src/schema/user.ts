import { canSeeEmail } from '../domain/user/user.policy.ts';
import type { UserRow } from '../domain/user/user.ts';
import { signedIn } from './access.ts';
import { builder } from './builder.ts';
import { oneNode, shortList } from './cost.ts';
import { nodeFields } from './node-fields.ts';
import { Membership } from './organization.ts';
import { Selection } from './selection.ts';

export const User = builder.objectRef<UserRow>('User');

User.implement({
  description: 'A person, in any number of organizations.',
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
      description: 'E-mail address; null unless it is the own one or the viewer manages the organization.',
      extensions: { columns: ['email'] },
      resolve: (user, _args, ctx) => (canSeeEmail(ctx, user.id) ? user.email : null),
    }),
    memberships: t.field({
      type: [Membership],
      description: 'The organizations that the viewer belongs to, oldest membership first; empty on anyone else.',
      extensions: { cost: shortList },
      resolve: (user, _args, ctx) => (ctx.viewer?.userId === user.id ? ctx.loaders.memberships().load(user.id) : []),
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: User,
    description: 'Who is signed in.',
    extensions: { cost: oneNode, access: () => 'viewer' },
    resolve: (_root, _args, ctx, info) =>
      ctx.loaders.user(userColumns(Selection.answer(info))).load(signedIn(ctx).userId) as Promise<UserRow>,
  }),
);

/** The columns of a selection of users; the id is one, whatever is selected, since rows are found by it. */
export function userColumns(selection: Selection): string[] {
  return ['id', ...selection.columns()];
}
