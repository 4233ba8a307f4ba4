import type { EnumRef } from '@pothos/core';
import type { Types } from './builder.ts';

type AnyEnum = EnumRef<Types, string | number>;

const known: { members: readonly (string | number)[]; type: AnyEnum }[] = [];

export function registerEnum(members: readonly (string | number)[], type: AnyEnum): void {
  known.push({ members, type });
}

/** An input may accept only some of the enum's members. */
export function enumOf<Value extends string | number>(members: readonly Value[]): EnumRef<Types, Value> {
  const match = known.find((each) => members.every((member) => each.members.includes(member)));
  if (!match) throw new Error(`no enum has the members ${members.join(', ')}`);
  return match.type as EnumRef<Types, Value>;
}
