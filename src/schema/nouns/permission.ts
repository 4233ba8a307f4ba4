import type { Permission } from '../../engine/permission.ts';
import { builder } from '../builder/builder.ts';
import { camelCase } from '../relay/dialect.ts';
import { ErrorCodeEnum } from './enums.ts';

const PermissionRef = builder.objectRef<Permission>('Permission').implement({
  description: 'Whether the viewer can do something now.',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed', { description: 'Whether an otherwise correct request would succeed now.' }),
    code: t.expose('code', {
      type: ErrorCodeEnum,
      nullable: true,
      description: 'The code of the error that it would get; null if it is allowed.',
    }),
  }),
});

/** @param descriptions by the name of the permission in REST */
export function permissionsType<Name extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Name, string>>,
) {
  return builder.objectRef<Record<Name, Permission>>(name).implement({
    description,
    fields: (t) =>
      Object.fromEntries(
        Object.entries<string>(descriptions).map(([each, text]) => [
          camelCase(each),
          t.field({
            type: PermissionRef,
            description: text,
            resolve: (permissions) => permissions[each as Name],
          }),
        ]),
      ),
  });
}
