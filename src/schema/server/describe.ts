import { getNamedType, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import type { ReadName } from '../../domain/reads.ts';
import { type AnyCommand, inputShape } from '../../engine/command.ts';
import type { FieldExtensions } from '../builder/field-extensions.ts';
import { camelCase } from '../relay/dialect.ts';
import { schema } from '../schema.ts';

export interface DescribedMutation {
  name: string;
  command: AnyCommand;
  /** The input field with the object's id. */
  objectField: string | null;
}

/** Fields that GraphQL may add to any input. */
const added = ['clientMutationId', 'ifVersion'];

export function describeMutations(): DescribedMutation[] {
  return Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ name, args, extensions }) => {
    const { command } = extensions as FieldExtensions;
    const input = getNamedType(args[0]?.type);
    if (!command || !isInputObjectType(input)) return [];
    const fields = [...added, ...Object.keys(inputShape(command)).map(camelCase)];
    const objectField = Object.keys(input.getFields()).find((field) => !fields.includes(field)) ?? null;
    return [{ name, command, objectField }];
  });
}

/** A field whose data REST reads too, such as `Query.events`. */
export interface DescribedRead {
  field: string;
  read: ReadName;
  /** Whether it has a `totalCount`. */
  isConnection: boolean;
}

export function describeReads(): DescribedRead[] {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) =>
      Object.values(type.getFields()).flatMap((field) => {
        const { read } = field.extensions as FieldExtensions;
        const isConnection = getNamedType(field.type).name.endsWith('Connection');
        return read ? [{ field: `${type.name}.${field.name}`, read, isConnection }] : [];
      }),
    );
}

/** Internal values, by enum and member name. */
export function describeEnums(): Record<string, Record<string, unknown>> {
  const enums = Object.values(schema.getTypeMap()).filter(isEnumType);
  return Object.fromEntries(
    enums
      .filter(({ name }) => !name.startsWith('__'))
      .map((type) => [type.name, Object.fromEntries(type.getValues().map(({ name, value }) => [name, value]))]),
  );
}
