import { field } from '../../domain/nouns/nouns.ts';
import type { Permission } from '../../engine/permission.ts';
import { errorCodes } from '../../kernel/errors.ts';
import { builder } from '../builder/builder.ts';
import { camelCase } from '../relay/dialect.ts';
import { shownType } from '../relay/node-fields.ts';

const PermissionRef = shownType<Permission>('Permission', 'Whether the viewer can do something now.', {
  allowed: field.flag('Whether an otherwise correct request would succeed now.'),
  code: field.choice(errorCodes, 'The code of the error that it would get; null if it is allowed.', { nullable: true }),
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
