import type { ZodRawShape, ZodType } from 'zod';
import type { Noun } from '../../engine/list/resource.ts';
import { camelCase } from './dialect.ts';
import { parseEitherId } from './global-id.ts';
import { type Definition, metaOf, nestedShape, unwrapped } from './input-fields.ts';

/** Converts a value of a GraphQL input to the value that REST takes; what is invalid stays, and is refused later. */
type Conversion = (value: unknown) => unknown;

/**
 * Converts an input to the names, ids and numbers of REST. `null` clears a nullable field and counts as absent otherwise;
 * global ids and REST ids are both accepted (interface/writes.md#bodies).
 *
 * @param isNested whether it is an object inside an input, where an optional list that is empty counts as absent, too: output
 *   types have no absent lists, and what was read can be sent back
 */
export function restInput(
  shape: ZodRawShape,
  isNested = false,
): (input: Record<string, unknown>) => Record<string, unknown> {
  const fields = Object.entries(shape).map(([name, each]) => {
    const schema = each as ZodType;
    const absent = (value: unknown) =>
      value === undefined ||
      (value === null && !schema.isNullable()) ||
      (isNested && isEmpty(value) && schema.isOptional());
    return { name, ownName: camelCase(name), absent, convert: conversion(schema) };
  });
  return (input) =>
    Object.fromEntries(
      fields.flatMap(({ name, ownName, absent, convert }) => {
        const value = input[ownName];
        if (absent(value)) return [];
        return [[name, convert && value !== null ? convert(value) : value]];
      }),
    );
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Null if the value is the same in REST. */
function conversion(schema: ZodType): Conversion | null {
  const noun = metaOf(schema).noun as Noun | undefined;
  if (noun !== undefined) return (value) => bareIds(noun, value);
  const own = unwrapped(schema);
  const shape = nestedShape(own);
  if (shape) return restInput(shape, true) as Conversion;
  const definition = own._zod.def as unknown as Definition;
  if (definition.type === 'union') return numberOrText;
  const each = definition.type === 'array' ? conversion(definition.element as ZodType) : null;
  return each && ((value) => (Array.isArray(value) ? value.map(each) : value));
}

function bareIds(noun: Noun, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => bareIds(noun, each));
  return parseEitherId(value, noun) ?? value;
}

/** A text in the form of JSON's numbers is a number; any other, such as a date or an empty one, stays a text. */
function numberOrText(value: unknown): unknown {
  const isNumber = typeof value === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value);
  return isNumber ? Number(value) : value;
}
