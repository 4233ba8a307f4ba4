import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
} from 'graphql';
import type { RestTwins } from '../rest-twins.ts';

type Enums = RestTwins['enums'];
type Fields = Record<string, unknown>;

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The REST id inside a global id; any other text is unchanged. */
export function restId(id: unknown): unknown {
  return globalIdIn(id)?.id ?? id;
}

export function globalIdIn(id: unknown): { type: string; id: string } | null {
  if (typeof id !== 'string' || !/^[\w+/]+=*$/.test(id)) return null;
  try {
    const [, type, uuid] = /^([A-Za-z]+):([\da-f-]{36})$/.exec(atob(id)) ?? [];
    return type && uuid ? { type, id: uuid } : null;
  } catch {
    return null;
  }
}

export function restValue(enums: Enums, type: GraphQLInputType, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => restValue(enums, type, each));
  const named = getNamedType(type);
  if (isInputObjectType(named)) return restObject(enums, named, value as Fields);
  if (isEnumType(named)) return enums[named.name]?.[String(value)] ?? value;
  return named.name === 'ID' ? restId(value) : value;
}

/** Numbers that GraphQL writes as texts, since other values of the field are texts. */
const numberTexts = ['EventQuestionInput.min', 'EventQuestionInput.max'];

function restObject(enums: Enums, type: GraphQLInputObjectType, value: Fields): Fields {
  const isAbsent = (each: unknown) => each === null || each === undefined || (Array.isArray(each) && each.length === 0);
  const fields = Object.entries(value).filter(([, each]) => !isAbsent(each));
  return Object.fromEntries(
    fields.map(([name, each]) => {
      const field = type.getFields()[name];
      const isNumber = numberTexts.includes(`${type.name}.${name}`) && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(`${each}`);
      return [snakeCase(name), isNumber ? Number(each) : field ? restValue(enums, field.type, each) : each];
    }),
  );
}

export function restWhere(enums: Enums, type: GraphQLInputObjectType, where: Fields, now: Date): Fields {
  const result: Fields = {};
  const also: Fields[] = [];
  for (const [name, value] of Object.entries(where)) {
    if (value === null || value === undefined) continue;
    const nested = (each: unknown) => restWhere(enums, type, each as Fields, now);
    if (name === 'and') also.push(...(value as unknown[]).map(nested));
    else if (name === 'or') result.$or = (value as unknown[]).map(nested);
    else if (name === 'not') result.$not = nested(value);
    else if (name === 'phase') also.push(phaseCondition((value as { eq?: string }).eq, now));
    else result[snakeCase(name)] = fieldCondition(enums, type.getFields()[name]?.type, value as Fields);
  }
  return also.length > 0 ? { ...result, $and: also } : result;
}

function fieldCondition(enums: Enums, type: GraphQLInputType | undefined, operators: Fields): unknown {
  if ('contains' in operators) return operators.contains;
  const filter = type && getNamedType(type);
  const fields = isInputObjectType(filter) ? filter.getFields() : {};
  const entries = Object.entries(operators).map(([operator, operand]) => {
    const operandType = fields[operator]?.type;
    return [operator, operandType ? restValue(enums, operandType, operand) : operand] as const;
  });
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === 'eq') return only[1];
  return Object.fromEntries(entries.map(([operator, operand]) => [`$${operator}`, operand]));
}

/** REST has no phases: they are comparisons with the time of the request. */
function phaseCondition(phase: string | undefined, now: Date): Fields {
  const time = now.toISOString();
  if (phase === 'UPCOMING') return { status: 1, date_start: { $gt: time } };
  if (phase === 'CONCLUDED') return { status: 1, date_end: { $lt: time } };
  return { status: 1, date_start: { $lte: time }, date_end: { $gte: time } };
}
