import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from '../../src/schema/schema.ts';

/** Numbers that decide what a document is; once they are used up it comes to its end, so that fewer are smaller documents. */
export class Choices {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** Below `bound`; zero is what is plainest. */
  below(bound: number): number {
    const number = this.#numbers[this.#next] ?? 0;
    this.#next += 1;
    return number % bound;
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  /** True in one of `count` cases. */
  rarely(count: number): boolean {
    return this.below(count) === count - 1;
  }
}

/** What arguments can name. */
export interface Names {
  globalIds: readonly string[];
  eventIds: readonly string[];
  cursors: readonly string[];
}

export interface RandomDocument {
  query: string;
  operationName: string;
  variables: Record<string, unknown>;
  /** Other values for the same variables. */
  otherVariables: Record<string, unknown>;
}

const aliases = 'a b constructor toString then length hasOwnProperty name idx0 b_a Event'.split(' ');
const operationNames = ['Q', 'query', 'arguments', 'constructor', 'class', 'eval'];
const variableNames = 'v args toString undefined err constructor input valueOf this errors'.split(' ');
const texts = ['jazz', 'É', '%', '\\', '"', "'", '`', '\u2028', '\ud800', '</script>', '\n', '__proto__', '🎷', ''];
const times = ['2026-06-01T10:00:00.000Z', '2026-06-02T12:00:00+02:00', '2026-03-01T00:00:05Z'];
const limits = { depth: 9, aliases: 15, fields: 70 };

type Composite = Extract<GraphQLNamedOutputType, { getFields: unknown }>;

interface Value {
  /** As it is written in a document. */
  text: string;
  /** The same in a variable. */
  json: unknown;
}

/** A query of the schema's own fields, mostly valid and within the limits. */
export function randomDocument(numbers: readonly number[], names: Names): RandomDocument {
  return new Writer(new Choices(numbers), names).write();
}

class Writer {
  readonly #choices: Choices;
  readonly #names: Names;
  readonly #definitions: string[] = [];
  readonly #fragments: { name: string; type: string; text: string; depth: number }[] = [];
  readonly #variables: Record<string, unknown> = {};
  readonly #otherVariables: Record<string, unknown> = {};
  /** The arguments of each field of a type by its key: fields of one key must have the same to be merged. */
  readonly #arguments = new Map<string, string>();
  #aliases = 0;
  #fields = 0;

  constructor(choices: Choices, names: Names) {
    this.#choices = choices;
    this.#names = names;
  }

  write(): RandomDocument {
    const set = this.#set(schema.getQueryType() as GraphQLObjectType, limits.depth);
    const operationName = this.#choices.of(operationNames);
    const definitions = this.#definitions.length > 0 ? `(${this.#definitions.join(', ')})` : '';
    const fragments = this.#fragments.map(({ name, type, text }) => `fragment ${name} on ${type} ${text}`);
    const another = this.#choices.rarely(4) ? ['query Another { viewer { id } }'] : [];
    const query = [...another, `query ${operationName}${definitions} ${set}`, ...fragments].join('\n');
    return { query, operationName, variables: this.#variables, otherVariables: this.#otherVariables };
  }

  #set(type: Composite, depth: number): string {
    const selections: string[] = [];
    const count = 1 + this.#choices.below(4);
    while (selections.length < count) selections.push(this.#selection(type, depth));
    return `{ ${selections.join(' ')} }`;
  }

  #selection(type: Composite, depth: number): string {
    switch (this.#choices.below(8)) {
      case 6:
        return this.#inline(type, depth);
      case 7:
        return this.#spread(type, depth);
      default:
        return this.#field(type, depth);
    }
  }

  #inline(type: Composite, depth: number): string {
    const inner = this.#narrowed(type);
    const condition = inner === type && this.#choices.rarely(3) ? '' : ` on ${inner.name}`;
    return this.#full() ? '__typename' : `...${condition} ${this.#set(inner, depth)}`;
  }

  #spread(type: Composite, depth: number): string {
    const inner = this.#narrowed(type);
    const known = this.#fragments.filter((each) => each.type === inner.name && each.depth <= depth);
    if (known.length > 0 && this.#choices.below(2) === 0) return `...${this.#choices.of(known).name}`;
    if (this.#full()) return '__typename';
    const text = this.#set(inner, depth);
    const name = `F${this.#fragments.length}`;
    this.#fragments.push({ name, type: inner.name, text, depth });
    return `...${name}`;
  }

  /** The type itself, the interface of an object type, or a type of an interface. */
  #narrowed(type: Composite): Composite {
    if (isInterfaceType(type)) return this.#choices.of<Composite>([...schema.getPossibleTypes(type), type]);
    const wider = isObjectType(type) ? type.getInterfaces() : [];
    return this.#choices.of<Composite>([type, type, ...wider]);
  }

  #field(type: Composite, depth: number): string {
    // cursors of the log move with every transaction of the database
    const all = Object.values(type.getFields()).filter(({ name }) => name !== 'changes');
    const leaves = all.filter((field) => !('getFields' in getNamedType(field.type)));
    const most = this.#full() || depth <= 1 ? leaves : all;
    if (most.length === 0 || this.#choices.rarely(10)) return this.#keyed(type, '__typename');
    const field = this.#choices.of(most);
    this.#fields += 1;
    const head = this.#keyed(type, field.name, field);
    const below = getNamedType(field.type);
    return 'getFields' in below ? `${head} ${this.#set(below, depth - 1)}` : head;
  }

  /** A field with its alias and its arguments. */
  #keyed(type: Composite, name: string, field?: GraphQLField<unknown, unknown>): string {
    // what is shown of the same items at several places is worth more trials than the rest
    const often = /(Connection|Edge)$/.test(type.name);
    const aliased = this.#aliases < limits.aliases && this.#choices.rarely(often ? 2 : 4);
    const key = aliased ? this.#choices.of(aliases) : name;
    if (aliased) this.#aliases += 1;
    const place = `${type.name}.${name} ${key}`;
    const args = this.#arguments.get(place) ?? (field ? this.#argumentList(field) : '');
    this.#arguments.set(place, args);
    return `${aliased ? `${key}: ` : ''}${name}${args}`;
  }

  #argumentList({ args }: GraphQLField<unknown, unknown>): string {
    const paging = this.#choices.of(['first', 'first', 'last']);
    const given = args.filter(({ name, type }) => {
      if (isNonNullType(type)) return true;
      if (name === 'first' || name === 'last') return name === paging;
      return this.#choices.rarely(4);
    });
    if (given.length === 0) return '';
    return `(${given.map(({ name, type }) => `${name}: ${this.#value(type, name, 3, true).text}`).join(', ')})`;
  }

  #full(): boolean {
    return this.#fields >= limits.fields;
  }

  /** @param open whether it may have variables, which is not so within variables and their defaults */
  #value(type: GraphQLInputType, place: string, depth: number, open: boolean): Value {
    if (open && this.#choices.rarely(3)) return this.#variable(type, place, depth);
    if (!isNonNullType(type) && this.#choices.rarely(12)) return { text: 'null', json: null };
    const bare = getNullableType(type);
    if (isListType(bare)) return this.#list(bare.ofType as GraphQLInputType, place, depth, open);
    if (isEnumType(bare)) {
      const { name } = this.#choices.of(bare.getValues());
      return { text: name, json: name };
    }
    if (isInputObjectType(bare)) {
      const fields = Object.values(bare.getFields());
      const chosen = new Set([
        this.#choices.of(fields),
        ...(this.#choices.rarely(3) ? [this.#choices.of(fields)] : []),
      ]);
      // filters contain themselves
      const usable = [...chosen].filter((field) => depth > 1 || !isInputObjectType(getNamedType(field.type)));
      const values = usable.map(({ name, type: each }) => [name, this.#value(each, name, depth - 1, open)] as const);
      return {
        text: `{${values.map(([name, { text }]) => `${name}: ${text}`).join(', ')}}`,
        json: Object.fromEntries(values.map(([name, { json }]) => [name, json])),
      };
    }
    return this.#scalar(String(bare), place);
  }

  #list(type: GraphQLInputType, place: string, depth: number, open: boolean): Value {
    if (!open && this.#choices.rarely(6)) return this.#value(type, place, depth, open);
    const values = Array.from({ length: 1 + this.#choices.below(3) }, () => this.#value(type, place, depth, open));
    return { text: `[${values.map(({ text }) => text).join(', ')}]`, json: values.map(({ json }) => json) };
  }

  #variable(type: GraphQLInputType, place: string, depth: number): Value {
    const count = this.#definitions.length;
    const name = variableNames[count] ?? `v${count}`;
    const value = () => this.#value(type, place, depth, false);
    const preset = this.#choices.rarely(3) ? ` = ${value().text}` : '';
    this.#definitions.push(`$${name}: ${type}${preset}`);
    const optional = preset !== '' || !isNonNullType(type);
    for (const values of [this.#variables, this.#otherVariables]) {
      if (!(optional && this.#choices.rarely(3))) values[name] = value().json;
    }
    return { text: `$${name}`, json: null };
  }

  #scalar(type: string, place: string): Value {
    if (type === 'Int') {
      const number =
        place === 'first' || place === 'last' ? this.#choices.of([2, 1, 3, 0]) : this.#choices.of([10, 1, 60]);
      return { text: String(number), json: number };
    }
    const text = this.#text(type, place);
    return { text: JSON.stringify(text), json: text };
  }

  #text(type: string, place: string): string {
    if (type === 'DateTime') return this.#choices.of(times);
    if (type === 'ID') {
      const { globalIds, eventIds } = this.#names;
      const known = place === 'id' && this.#choices.below(2) === 0 ? eventIds : globalIds;
      return this.#choices.rarely(12) ? this.#choices.of(texts) : this.#choices.of(known);
    }
    if (place === 'after' || place === 'before') return this.#choices.of(this.#names.cursors);
    return this.#choices.of(texts);
  }
}
