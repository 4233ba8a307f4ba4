import type { InputFieldMap } from '@pothos/core';
import type { ZodRawShape, ZodType } from 'zod';
import type { Types } from '../builder/builder.ts';
import { enumOf } from '../builder/enum-of.ts';
import { camelCase } from './dialect.ts';

type FieldBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

/** The part of a zod schema's definition that determines an input type. */
interface Definition {
  type: string;
  innerType?: ZodType;
  in?: ZodType;
  out?: ZodType;
  element?: ZodType;
  entries?: Record<string, string | number>;
  values?: (string | number)[];
}

/**
 * The fields of an input type, derived from the zod schema that checks the input, so that the two cannot drift apart. Names
 * are in camelCase; optional fields are nullable.
 */
export function inputFields(t: FieldBuilder, shape: ZodRawShape): InputFieldMap {
  const entries = Object.entries(shape).map(([name, schema]) => [camelCase(name), inputField(t, schema as ZodType)]);
  return Object.fromEntries(entries) as InputFieldMap;
}

function inputField(t: FieldBuilder, schema: ZodType) {
  const required = !schema.isOptional() && !schema.isNullable();
  const { description } = metaOf(schema);
  if (typeof description !== 'string') throw new Error('a field of a command has no description');
  return t.field({ type: inputType(schema) as 'String', required, description });
}

/** The schema itself, without the preprocessing of `list`, which checks the length first. */
function ownSchema(schema: ZodType): ZodType {
  const { type, in: input, out } = schema._zod.def as unknown as Definition;
  return type === 'pipe' && out && input?._zod.def.type === 'transform' ? out : schema;
}

/** The metadata of a schema, merged with that of the schema that it wraps. */
export function metaOf(schema: ZodType): Readonly<Record<string, unknown>> {
  const { innerType, in: input } = schema._zod.def as unknown as Definition;
  const own = ownSchema(schema);
  const inner = innerType ?? (own === schema ? input : own);
  return { ...(inner ? metaOf(inner) : {}), ...schema.meta() };
}

/** The GraphQL type of a schema; enums are found by their members. */
function inputType(schema: ZodType): unknown {
  const meta = metaOf(schema);
  const definition = ownSchema(schema)._zod.def as unknown as Definition;
  if (meta.noun !== undefined) return definition.type === 'array' ? ['ID'] : 'ID';
  if (meta.format === 'date-time') return 'DateTime';
  switch (definition.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return inputType(definition.innerType as ZodType);
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
      return 'String';
    default:
      return 'JSON';
  }
}
