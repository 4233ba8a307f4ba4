import {
  type FieldNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Context } from '../domain/context.ts';
import { writtenJson } from '../domain/list/list.sql.ts';
import { handled, joined, leafText, type Text, unexpected } from './json-text.ts';
import { pageJson, rowJson } from './row-json.ts';
import { possibleTypes, type Selection } from './selection.ts';

type VariableValues = GraphQLResolveInfo['variableValues'];

/** Makes the text of a value of one place of a query. */
type Write = (value: unknown, run: Run) => Text;

/** One run of a query. */
interface Run {
  ctx: Context;
  values: VariableValues;
  /** What each field with a resolver gets; it is the same for all its parents. */
  fields: { args: Record<string, unknown>; info: GraphQLResolveInfo }[];
}

/** A query as a function that answers the JSON of its data. */
export type QueryText = (ctx: Context, values: VariableValues) => Promise<string>;

/** What the resolvers of a compiled query are told besides what the executor tells them. */
export interface CompiledInfo {
  compiled?: true;
  /** What the field has worked out for this request. */
  plan?: { made: unknown };
  /** The selection below the field, worked out once and not for each request; for fields that answer an object type. */
  selection?: Selection;
  /** The same for fields that answer the interface, by type. */
  selections?: Map<string, Selection>;
}

/**
 * Makes a query a function: one closure for each of its fields, which writes the JSON of its answer. The walk over the
 * document, the collecting of fields and the objects between resolvers and JSON are gone; resolvers are the same.
 *
 * What it writes is what the executor answers to a query in which nothing fails. Where anything is not as it should be,
 * the promise is rejected, whatever the reason, and it is for the executor to say what the answer is.
 *
 * @param selection of the root, by a query that is validated and has neither directives nor introspection
 */
export function compileQuery(schema: GraphQLSchema, selection: Selection): QueryText {
  const write = new Compiler(schema).object(selection);
  return async (ctx, values) => write({}, { ctx, values, fields: [] });
}

class Compiler {
  readonly #schema: GraphQLSchema;
  /** How many fields have resolvers. */
  #fields = 0;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  object(selection: Selection): Write {
    const fields = [...selection.fields].map(([key, nodes], index) => ({
      head: `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`,
      write: this.#field(selection, key, nodes as [FieldNode]),
    }));
    return (value, run) => {
      if (typeof value !== 'object') throw unexpected(selection.type, value);
      let text = '{';
      let parts: Text[] | undefined;
      for (const { head, write } of fields) {
        const part = write(value, run);
        if (typeof part === 'string') text += head + part;
        else {
          parts ??= [];
          parts.push(text + head, part);
          text = '';
        }
      }
      return parts ? joined([...parts, `${text}}`]) : `${text}}`;
    };
  }

  #field(selection: Selection, key: string, nodes: readonly [FieldNode]): Write {
    const name = nodes[0].name.value;
    if (name === '__typename') {
      const text = JSON.stringify(selection.type.name);
      return () => text;
    }
    const field = selection.type.getFields()[name];
    if (!field) throw new Error(`no field ${selection.type.name}.${name}`);
    const info = this.#info(selection, key, nodes, field);
    const write = this.#output(field.type, info);
    // Pothos says so of fields that only show a property
    const property = field.extensions.pothosExposedField ?? (field.resolve ? undefined : name);
    if (typeof property === 'string') return (source, run) => write((source as Record<string, unknown>)[property], run);
    return this.#resolved(field, nodes[0], info, write);
  }

  #resolved(field: GraphQLField<unknown, unknown>, node: FieldNode, info: GraphQLResolveInfo, write: Write): Write {
    const { resolve } = field;
    if (!resolve) throw new Error(`no resolver of ${field.name}`);
    const index = this.#fields;
    this.#fields += 1;
    const prepare = (run: Run) => {
      run.fields[index] ??= {
        args: field.args.length > 0 ? getArgumentValues(field, node, run.values) : {},
        info: { ...info, variableValues: run.values },
      };
      return run.fields[index];
    };
    return (source, run) => {
      const { args, info } = prepare(run);
      const value: unknown = resolve(source, args, run.ctx, info);
      return value instanceof Promise ? handled(value.then((each) => write(each, run))) : write(value, run);
    };
  }

  /** Whatever a resolver of ours looks at. */
  #info(
    selection: Selection,
    key: string,
    fieldNodes: readonly FieldNode[],
    { name, type }: GraphQLField<unknown, unknown>,
  ): GraphQLResolveInfo & CompiledInfo {
    const below = belowOf(selection, key, this.#schema, type);
    const info = { fieldName: name, fieldNodes, returnType: type, parentType: selection.type, schema: this.#schema };
    return { ...info, compiled: true, ...below } as unknown as GraphQLResolveInfo & CompiledInfo;
  }

  #output(type: GraphQLOutputType, info: CompiledInfo): Write {
    if (!isNonNullType(type)) {
      const write = this.#present(type, info);
      return (value, run) => (value === null || value === undefined ? 'null' : write(value, run));
    }
    const write = this.#present(type.ofType, info);
    return (value, run) => {
      if (value === null || value === undefined) throw unexpected(type, value);
      return write(value, run);
    };
  }

  /** Of what is not null. */
  #present(type: GraphQLOutputType, info: CompiledInfo): Write {
    if (isListType(type)) return list(this.#output(type.ofType, info));
    if (info.selection) return this.#row(info.selection);
    if (info.selections) return this.#interface(info.selections);
    return leafText(type as GraphQLLeafType);
  }

  #row(selection: Selection): Write {
    const write = this.object(selection);
    if (!rowJson(selection) && !pageJson(selection)) return write;
    return (value, run) => writtenJson(value as object) ?? write(value, run);
  }

  #interface(selections: Map<string, Selection>): Write {
    const types = new Map([...selections].map(([name, selection]) => [name, this.object(selection)]));
    return (value, run) => {
      // rows that are reached through the interface say what they are
      const write = types.get((value as { __typename: string }).__typename);
      if (!write) throw unexpected('an object type', value);
      return write(value, run);
    };
  }
}

/** What is selected below a field, as far as that does not depend on a request. */
function belowOf(selection: Selection, key: string, schema: GraphQLSchema, type: GraphQLOutputType): CompiledInfo {
  const named = getNamedType(type);
  const below = possibleTypes(schema, named).map((each) => selection.under(key, each));
  if (isObjectType(named)) return { selection: below[0] as Selection };
  return below.length > 0 ? { selections: new Map(below.map((each) => [each.type.name, each])) } : {};
}

function list(write: Write): Write {
  return (value, run) => {
    if (!Array.isArray(value)) throw unexpected('a list', value);
    let text = '[';
    let parts: Text[] | undefined;
    for (const [index, item] of value.entries()) {
      if (index > 0) text += ',';
      const part = item instanceof Promise ? handled(item.then((each) => write(each, run))) : write(item, run);
      if (typeof part === 'string') text += part;
      else {
        parts ??= [];
        parts.push(text, part);
        text = '';
      }
    }
    return parts ? joined([...parts, `${text}]`]) : `${text}]`;
  };
}
