import fc from 'fast-check';
import { type FuzzNoun, nouns, sideOf, type Which, type World } from './world.ts';

// Ids differ from run to run, so what is generated names objects by their places: `@event:3` of the organization that is
// asked, `@event:3:twin` and `@event:3:third` of the others. Shrinking and repeating then need no ids.

const pattern = /^@(\w+):(\d+)(?::(twin|third))?$/;

/** A value of which every reference is replaced by the id that it names for one of the twins. */
export function resolve<Value>(value: Value, world: World, side: Which): Value {
  if (typeof value === 'string') return (idOf(value, world, side) ?? value) as Value;
  if (Array.isArray(value)) return value.map((each) => resolve(each, world, side)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each, world, side)])) as Value;
}

/** The organization that a reference is to; what asks for neither twin has the first as another one. */
export function elsewhere(side: Which, of: string | undefined): Which {
  if (of === 'third') return 'third';
  if (of === undefined) return side;
  return side === 0 ? 1 : 0;
}

function idOf(text: string, world: World, side: Which): string | null {
  const [, noun, number, of] = pattern.exec(text) ?? [];
  if (noun === undefined) return null;
  const place = Number(number);
  if (noun === 'user') return world.people[place % world.people.length] ?? null;
  if (noun === 'actor') return Object.values(world.actors)[place % 4]?.userId ?? null;
  const ids = sideOf(world, elsewhere(side, of)).ids[noun as FuzzNoun] as string[] | undefined;
  // a text that only looks like one
  if (!ids) return null;
  // what is not there is an id that nothing has
  return ids[place % Math.max(ids.length, 1)] ?? '00000000-0000-7000-8000-000000000000';
}

const place = fc.nat(40);

/** An object of a noun, mostly one's own. */
export function reference(noun: FuzzNoun | 'user' | 'actor'): fc.Arbitrary<string> {
  const own = place.map((number) => `@${noun}:${number}`);
  if (noun === 'user' || noun === 'actor') return own;
  const others = fc.tuple(place, fc.constantFrom('twin', 'third')).map(([number, of]) => `@${noun}:${number}:${of}`);
  return fc.oneof({ weight: 12, arbitrary: own }, { weight: 1, arbitrary: others });
}

/** An object of any noun, or what is no id at all. */
export const anyReference = fc.oneof(
  fc.constantFrom(...nouns, 'user' as const, 'actor' as const).chain(reference),
  fc.constantFrom('0199b5a0-7c3a-7000-8000-0123456789ab', 'nonsense', '0', 'count', '%00', '..', 'RXZlbnQ6MQ=='),
);
