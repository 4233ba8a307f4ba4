import { getNamedType, isEnumType, isInputObjectType } from 'graphql';
import type { ZodObject } from 'zod';
import type { AnyCommand } from '../../engine/command.ts';
import type { FieldExtensions } from '../builder/field-extensions.ts';
import { camelCase } from '../relay/dialect.ts';
import { schema } from '../schema.ts';

/** A mutation, and what of its input is not its command's. */
export interface DescribedMutation {
  name: string;
  command: AnyCommand;
  /** The field with the id of the object; null if there is none. */
  objectField: string | null;
}

/** Fields of inputs that every command may have here. */
const ours = ['clientMutationId', 'ifVersion'];

export function describeMutations(): DescribedMutation[] {
  return Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ name, args, extensions }) => {
    const { command } = extensions as FieldExtensions;
    const input = getNamedType(args[0]?.type);
    if (!command || !isInputObjectType(input)) return [];
    const fields = [...ours, ...Object.keys((command.input as unknown as ZodObject).shape).map(camelCase)];
    const objectField = Object.keys(input.getFields()).find((field) => !fields.includes(field)) ?? null;
    return [{ name, command, objectField }];
  });
}

/** By the name of an enum, what the domain has for its members. */
export function describeEnums(): Record<string, Record<string, unknown>> {
  const enums = Object.values(schema.getTypeMap()).filter(isEnumType);
  return Object.fromEntries(
    enums
      .filter(({ name }) => !name.startsWith('__'))
      .map((type) => [type.name, Object.fromEntries(type.getValues().map(({ name, value }) => [name, value]))]),
  );
}
