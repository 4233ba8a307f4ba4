import type { InputFieldMap, InputObjectRef } from '@pothos/core';
import type { ZodObject, ZodRawShape, ZodType } from 'zod';
import { builder, type Types } from '../builder/builder.ts';
import { enumOf } from '../builder/enum-of.ts';
import { camelCase } from './dialect.ts';

type FieldBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

/** The part of a zod schema's definition that determines an input type. */
export interface Definition {
  type: string;
  innerType?: ZodType;
  in?: ZodType;
  out?: ZodType;
  element?: ZodType;
  entries?: Record<string, string | number>;
  values?: (string | number)[];
}

/** The input types of objects inside inputs. */
const nested = new Map<ZodType, { type: InputObjectRef<Types, unknown>; shape: ZodRawShape }>();

/**
 * Declares the input type of an object inside the input of a command. Its fields are all nullable: what is missing is
 * refused by the command, with a pointer, as in REST.
 */
export function nestedInput(name: string, description: string, schema: ZodObject): void {
  const { shape } = schema;
  const type = builder.inputRef(name).implement({ description, fields: (t) => inputFields(t, shape, 'nullable') });
  nested.set(schema, { type: type as InputObjectRef<Types, unknown>, shape });
}

/** The fields of an object inside an input; undefined for every other value. */
export function nestedShape(schema: ZodType): ZodRawShape | undefined {
  return nested.get(schema)?.shape;
}

/**
 * The fields of an input type, derived from the zod schema that checks the input, so that the two cannot drift apart. Names
 * are in camelCase; optional fields are nullable.
 */
export function inputFields(
  t: FieldBuilder,
  shape: ZodRawShape,
  required: 'required' | 'nullable' = 'required',
): InputFieldMap {
  const entries = Object.entries(shape).map(([name, schema]) => [
    camelCase(name),
    inputField(t, schema as ZodType, required === 'required'),
  ]);
  return Object.fromEntries(entries) as InputFieldMap;
}

function inputField(t: FieldBuilder, schema: ZodType, mayBeRequired: boolean) {
  const required = mayBeRequired && !schema.isOptional() && !schema.isNullable();
  const { description } = metaOf(schema);
  if (typeof description !== 'string') throw new Error('a field of a command has no description');
  return t.field({ type: inputType(schema) as 'String', required, description });
}

/** The schema itself, without the preprocessing of `list`, which checks the length first. */
function ownSchema(schema: ZodType): ZodType {
  const { type, in: input, out } = schema._zod.def as unknown as Definition;
  return type === 'pipe' && out && input?._zod.def.type === 'transform' ? out : schema;
}

const wrappers = ['optional', 'nullable', 'default', 'prefault', 'readonly'];

/** The schema without what makes it optional or nullable, and without preprocessing. */
export function unwrapped(schema: ZodType): ZodType {
  const own = ownSchema(schema);
  const { type, innerType } = own._zod.def as unknown as Definition;
  return innerType && wrappers.includes(type) ? unwrapped(innerType) : own;
}

/** The metadata of a schema, merged with that of the schema that it wraps. */
export function metaOf(schema: ZodType): Readonly<Record<string, unknown>> {
  const { innerType, in: input } = schema._zod.def as unknown as Definition;
  const own = ownSchema(schema);
  const inner = innerType ?? (own === schema ? input : own);
  return { ...(inner ? metaOf(inner) : {}), ...schema.meta() };
}

/** The GraphQL type of a schema; enums are found by their members. */
function inputType(given: ZodType): unknown {
  const meta = metaOf(given);
  const schema = unwrapped(given);
  const definition = schema._zod.def as unknown as Definition;
  if (meta.noun !== undefined) return definition.type === 'array' ? ['ID'] : 'ID';
  if (meta.format === 'date-time') return 'DateTime';
  switch (definition.type) {
    case 'pipe':
      return inputType(definition.in as ZodType);
    case 'enum':
      return enumOf(Object.values(definition.entries ?? {}));
    case 'literal':
      return enumOf(definition.values ?? []);
    case 'boolean':
      return 'Boolean';
    case 'number':
    case 'int':
      return 'Int';
    case 'array':
      return [inputType(definition.element as ZodType)];
    case 'string':
    // a number or a text: GraphQL has no type for both
    case 'union':
      return 'String';
    default:
      return nested.get(schema)?.type ?? 'JSON';
  }
}
