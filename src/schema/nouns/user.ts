import { planOnce, Selection } from '#compiled-graphql';
import { actorLoader } from '../../domain/user/actor.ts';
import { canSeeEmail, knownUserLoader, type UserRow, userLoader } from '../../domain/user/user.ts';
import { withViewer } from '../../engine/context.ts';
import { builder, type ObjectFields } from '../builder/builder.ts';
import type { FieldExtensions } from '../builder/field-extensions.ts';
import { databaseId } from '../relay/node-fields.ts';
import { nodeRef } from '../relay/resource-node.ts';

export const UserRef = nodeRef<UserRow>('User', {
  organizational: (id, viewerId) => id !== viewerId,
  loader: (ctx, columns, id) => (id === withViewer(ctx).viewer.userId ? userLoader : knownUserLoader)(ctx, columns),
});

UserRef.implement({
  description: 'A person, who can belong to any number of organizations.',
  fields: (t) => ({
    databaseId: databaseId(t),
    name: t.exposeString('name', {
      nullable: true,
      description:
        "The account's name, 1 to 200 characters; null if the user is only a guest in the organization: see `EventSubscription.attendeeName`.",
      extensions: { columns: ['name'] },
    }),
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

export function viewerField<Parent>(t: Pick<ObjectFields<Parent>, 'field'>, extensions: FieldExtensions = {}) {
  return t.field({
    type: UserRef,
    description: 'The signed-in user.',
    extensions: { ...extensions, cost: 1 },
    resolve: (_parent, _args, ctx, info) =>
      userLoader(ctx, Selection.answer(info).columns()).load(withViewer(ctx).viewer.userId) as Promise<UserRow>,
  });
}

builder.queryField('viewer', (t) => viewerField(t, { read: 'viewer', access: 'viewer' }));

export function actorField<Row extends { actor_id: string | null }>(t: ObjectFields<Row>) {
  return actingField(t, 'actor_id', 'Who did it; null where `actorDatabaseId` is.');
}

/** A user who may have left. */
export function actingField<By extends string, Row extends Record<By, string | null>>(
  t: ObjectFields<Row>,
  by: By,
  description: string,
) {
  return t.field({
    type: UserRef,
    nullable: true,
    description,
    extensions: { columns: [by], cost: 1 },
    resolve: (row, _args, ctx, info) => {
      const loader = planOnce(ctx, info, () => actorLoader(ctx, Selection.answer(info).columns()));
      const id = (row as Row)[by];
      return id === null ? null : loader.load(id);
    },
  });
}
