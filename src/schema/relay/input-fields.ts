import type { InputFieldMap, InputObjectRef } from '@pothos/core';
import {
  ZodArray,
  ZodBoolean,
  ZodDefault,
  ZodEnum,
  ZodLiteral,
  ZodNullable,
  ZodNumber,
  type ZodObject,
  ZodOptional,
  ZodPipe,
  ZodPrefault,
  type ZodRawShape,
  ZodReadonly,
  ZodString,
  ZodTransform,
  type ZodType,
  ZodUnion,
} from 'zod';
import { builder, type Types } from '../builder/builder.ts';
import { enumOf } from '../builder/enum-of.ts';
import { camelCase } from './dialect.ts';

type FieldBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

/** Of objects inside inputs. */
const nested = new Map<ZodType, { type: InputObjectRef<Types, unknown>; shape: ZodRawShape }>();

export function nestedInput(name: string, description: string, schema: ZodObject): void {
  const { shape } = schema;
  const type = builder.inputRef(name).implement({ description, fields: (t) => inputFields(t, shape) });
  nested.set(schema, { type: type as InputObjectRef<Types, unknown>, shape });
}

/** Undefined unless it is an object inside an input. */
export function nestedShape(schema: ZodType): ZodRawShape | undefined {
  return nested.get(schema)?.shape;
}

/** Derived from the schema that checks the input, so that the two cannot drift apart. */
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

/** Without the preprocessing of `list`, which checks the length first. */
function ownSchema(schema: ZodType): ZodType {
  return schema instanceof ZodPipe && schema.in instanceof ZodTransform ? (schema.out as ZodType) : schema;
}

const wrappers = [ZodOptional, ZodNullable, ZodDefault, ZodPrefault, ZodReadonly];

/** What a schema makes optional or nullable; undefined if it does not. */
function wrappedBy(schema: ZodType): ZodType | undefined {
  const isWrapper = wrappers.some((each) => schema instanceof each);
  return isWrapper ? ((schema as ZodOptional).unwrap() as ZodType) : undefined;
}

/** Without what makes it optional or nullable, and without preprocessing. */
export function unwrapped(schema: ZodType): ZodType {
  const own = ownSchema(schema);
  const inner = wrappedBy(own);
  return inner ? unwrapped(inner) : own;
}

/** Merged with the metadata of the wrapped schemas. */
export function metaOf(schema: ZodType): Readonly<Record<string, unknown>> {
  const own = ownSchema(schema);
  const input = schema instanceof ZodPipe ? (schema.in as ZodType) : undefined;
  const inner = wrappedBy(schema) ?? (own === schema ? input : own);
  return { ...(inner ? metaOf(inner) : {}), ...schema.meta() };
}

/** Enums are found by their members. */
function inputType(given: ZodType): unknown {
  const meta = metaOf(given);
  const schema = unwrapped(given);
  if (meta.noun !== undefined) return schema instanceof ZodArray ? ['ID'] : 'ID';
  if (meta.format === 'date-time') return 'DateTime';
  if (schema instanceof ZodPipe) return inputType(schema.in as ZodType);
  if (schema instanceof ZodEnum) return enumOf(schema.options);
  if (schema instanceof ZodLiteral) return enumOf([...schema.values] as string[]);
  if (schema instanceof ZodBoolean) return 'Boolean';
  if (schema instanceof ZodNumber) return 'Int';
  if (schema instanceof ZodArray) return [inputType(schema.element as ZodType)];
  // a number or a text: GraphQL has no type for both
  if (schema instanceof ZodString || schema instanceof ZodUnion) return 'String';
  return nested.get(schema)?.type ?? 'JSON';
}
