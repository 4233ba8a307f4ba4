import type { ObjectFieldsShape } from '@pothos/core';
import { ZodArray, type ZodRawShape, type ZodType, ZodUnion } from 'zod';
import type { Noun } from '../../domain/nouns/nouns.ts';
import { type Call, type Command, type CommandContexts, execute, inputShape } from '../../engine/command.ts';
import type { Context } from '../../engine/context.ts';
import { DomainError, faults } from '../../kernel/errors.ts';
import { builder, type Types } from '../builder/builder.ts';
import type { FieldExtensions } from '../builder/field-extensions.ts';
import { nodeTypeOf, parseEitherId } from '../builder/global-id.ts';
import { camelCase } from './dialect.ts';
import { inputFields, metaOf, nestedShape, unwrapped } from './input-fields.ts';

/** What only GraphQL has of a command. */
interface MutationOptions {
  name?: string;
  description?: string;
  /** The field with the object's id; by default `id`. */
  objectField?: string;
}

/** The command's result or, if it has none, the id of its object. */
type Payload<Result> = Result extends object ? Result : { id: string };

export function commandMutation<Access extends keyof CommandContexts, Input, Result>(
  command: Command<Access, Input, Result>,
  payload: ObjectFieldsShape<Types, Payload<Result>>,
  { name = command.name, description = command.description, objectField = 'id' }: MutationOptions = {},
): void {
  const { versioned = false, access } = command;
  const object = command.object as Noun | undefined;
  const shape = inputShape(command);
  const toRest = restInput(shape);
  builder.relayMutationField(
    name,
    {
      description: `The input of \`${name}\`.`,
      inputFields: (t) => ({
        ...(object ? { [objectField]: idField(t, object) } : {}),
        ...inputFields(t, shape),
        ...(versioned
          ? { ifVersion: t.int({ description: 'The change is refused unless this is the current version.' }) }
          : {}),
      }),
    },
    {
      description,
      extensions: { command, access: access === 'user' ? 'viewer' : access } satisfies FieldExtensions,
      resolve: async (_root: unknown, { input }: { input: Record<string, unknown> }, ctx: Context) => {
        const named = object ? input[objectField] : '';
        const id = object ? (parseEitherId(named, object) ?? '') : '';
        const version = versioned ? input.ifVersion : null;
        const guard = typeof version === 'number' ? [version] : undefined;
        const asked = named === undefined || named === null ? withoutObject(command, objectField) : command;
        const result = await runCommand(ctx, asked, toRest(input), { id, guard });
        return result ?? { id };
      },
    } as never,
    { description: `The result of \`${name}\`.`, outputFields: payload as never },
  );
}

function idField(t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>, noun: Noun) {
  const type = nodeTypeOf(noun);
  const article = /^[AEIOU]/.test(type) ? 'an' : 'a';
  return t.id({ required: true, description: `The global id or the \`databaseId\` of ${article} ${type}.` });
}

/** Of variables, the id can be absent; the other issues of the input are reported with it. */
function withoutObject<Access extends keyof CommandContexts, Input, Result>(
  { stored: _, ...command }: Command<Access, Input, Result>,
  objectField: string,
): Command<Access, Input, Result> {
  const pointer = `/${objectField}`;
  return { ...command, check: async () => [{ pointer, code: 'VALIDATION_ERROR', detail: 'This field is required.' }] };
}

/** Pointers use GraphQL's names. Clears the loaders, so that the rest of the operation reads current rows. */
async function runCommand<Access extends keyof CommandContexts, Input, Result>(
  ctx: Context,
  command: Command<Access, Input, Result>,
  fields: Record<string, unknown>,
  call: Call,
): Promise<Result> {
  try {
    return await execute(command, ctx, fields, call);
  } catch (error) {
    if (!(error instanceof DomainError) || !error.issues) throw error;
    throw faults(
      error.code,
      error.issues.map((issue) => ({ ...issue, pointer: ownPointer(issue.pointer, inputShape(command)) })),
    );
  } finally {
    ctx.loaders.clear();
  }
}

/** Names of fields change, also those of inputs in a list; other segments, such as keys of answers, do not. */
export function ownPointer(pointer: string, shape: ZodRawShape): string {
  const [, name, index, ...field] = pointer.split('/');
  if (name === undefined) return pointer;
  const schema = shape[name] && unwrapped(shape[name] as ZodType);
  const inner = schema instanceof ZodArray ? nestedShape(unwrapped(schema.element as ZodType)) : undefined;
  const below = field.length > 0 ? `/${field.join('/')}` : '';
  return `/${camelCase(name)}${index === undefined ? '' : `/${index}`}${inner ? ownPointer(below, inner) : below}`;
}

/** Invalid values stay, and are refused later. */
type Conversion = (value: unknown) => unknown;

/**
 * `null` clears a nullable field and otherwise counts as absent (reference/writes.md#bodies).
 *
 * @param isNested inside an input, an empty optional list counts as absent too: output types have no absent lists, and
 * clients can send back the values that they read
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

/** Null if REST has the same value. */
function conversion(schema: ZodType): Conversion | null {
  const noun = metaOf(schema).noun as Noun | undefined;
  if (noun !== undefined) return (value) => bareIds(noun, value);
  const own = unwrapped(schema);
  const shape = nestedShape(own);
  if (shape) return restInput(shape, true) as Conversion;
  if (own instanceof ZodUnion) return numberOrText;
  const each = own instanceof ZodArray ? conversion(own.element as ZodType) : null;
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
