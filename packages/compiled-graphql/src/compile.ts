import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
} from 'graphql';
import { type PlannedInfo, possibleTypes, rootSelection, type Selection, type SelectionSource } from './selection.ts';
import { handled, joined, leafText, type Text, unexpected } from './text.ts';

type VariableValues = GraphQLResolveInfo['variableValues'];

/** Serializes a value at one place in a query. */
type Write = (value: unknown, run: Run) => Text;

/** One run of a query. */
interface Run {
  ctx: object;
  values: VariableValues;
  /** The number of characters so far, each of which takes at least one byte. */
  written: number;
  /** By field with a resolver, the same for all of its parents. */
  fields: { args: Record<string, unknown>; info: PlannedInfo }[];
}

/** A query as a function that returns the JSON of its data. */
export interface CompiledQuery {
  /** @throws what `tooLarge` makes; any other error means that graphql-js must execute the query */
  run(ctx: object, values: VariableValues): Promise<string>;
  selection: Selection;
  /** Its estimated memory. */
  bytes: number;
}

export interface AnswerBounds {
  /** In characters. */
  maxLength: number;
  /** Makes the error of a longer answer. */
  tooLarge: () => Error;
  /** Scalars whose values are texts that are sent as they are. */
  texts: readonly string[];
}

/** The maximum number of fields, with all fragments expanded: each one becomes a function. */
const maxFields = 250;
/** Measured, in bytes. */
const bytesOfField = 3_000;

/**
 * Compiles a query of a valid document to a function, with one closure per field that serializes the field's result. If nothing
 * fails, the result is the same as that of graphql-js; otherwise graphql-js must execute the query.
 *
 * @returns null if the same result cannot be guaranteed
 */
export function compileOperation(
  { schema, fragments, plain }: SelectionSource & { plain: boolean },
  operation: OperationDefinitionNode,
  bounds: AnswerBounds,
): CompiledQuery | null {
  const selection = plain && operation.operation === 'query' ? rootSelection({ schema, fragments }, operation) : null;
  const fields = selection?.size(maxFields) ?? 0;
  if (!selection || fields > maxFields) return null;
  const write = new Compiler(schema, bounds).object(selection);
  return {
    run: async (ctx, values) => write({}, { ctx, values, written: 0, fields: [] }),
    selection,
    bytes: fields * bytesOfField,
  };
}

class Compiler {
  readonly #schema: GraphQLSchema;
  readonly #bounds: AnswerBounds;
  /** The number of fields with resolvers. */
  #fields = 0;

  constructor(schema: GraphQLSchema, bounds: AnswerBounds) {
    this.#schema = schema;
    this.#bounds = bounds;
  }

  object(selection: Selection): Write {
    const fields = [...selection.fields].map(([key, nodes], index) => ({
      head: `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`,
      write: this.#field(selection, key, nodes as [FieldNode]),
      isLeaf: !nodes.some((node) => node.selectionSet),
    }));
    const { maxLength, tooLarge } = this.#bounds;
    const headsLength = fields.reduce((sum, { head }) => sum + head.length, 0);
    return (value, run) => {
      if (typeof value !== 'object') throw unexpected(selection.type, value);
      let text = '{';
      let parts: Text[] | undefined;
      let length = headsLength;
      for (const { head, write, isLeaf } of fields) {
        const part = write(value, run);
        if (typeof part === 'string') {
          text += head + part;
          if (isLeaf) length += part.length;
        } else {
          parts ??= [];
          parts.push(text + head, part);
          text = '';
        }
      }
      run.written += length;
      if (run.written > maxLength) throw tooLarge();
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
    const named = getNamedType(field.type);
    const below = possibleTypes(this.#schema, named).map((type) => selection.under(key, type));
    const write = this.#output(field.type, this.#named(named, below));
    // Pothos sets it for fields that only expose a property
    const property = field.extensions.pothosExposedField ?? (field.resolve ? undefined : name);
    if (typeof property === 'string') return (source, run) => write((source as Record<string, unknown>)[property], run);
    return this.#resolved(field, nodes, selection, below, write);
  }

  #resolved(
    field: GraphQLField<unknown, unknown>,
    fieldNodes: readonly [FieldNode],
    { type: parentType, source: { fragments } }: Selection,
    answers: readonly Selection[],
    write: Write,
  ): Write {
    const { resolve, name: fieldName, type: returnType } = field;
    if (!resolve) throw new Error(`no resolver of ${fieldName}`);
    const index = this.#fields;
    this.#fields += 1;
    // only what our resolvers use
    const info: Partial<PlannedInfo> = {
      fieldName,
      fieldNodes,
      returnType,
      parentType,
      schema: this.#schema,
      fragments,
      answers,
    };
    return (source, run) => {
      run.fields[index] ??= {
        args: field.args.length > 0 ? getArgumentValues(field, fieldNodes[0], run.values) : {},
        info: { ...info, variableValues: run.values } as PlannedInfo,
      };
      const { args, info: ofRun } = run.fields[index];
      const value: unknown = resolve(source, args, run.ctx, ofRun);
      return value instanceof Promise ? handled(value.then((each) => write(each, run))) : write(value, run);
    };
  }

  #output(type: GraphQLOutputType, named: Write): Write {
    const nullable = isNonNullType(type) ? type.ofType : type;
    const present = isListType(nullable) ? list(this.#output(nullable.ofType, named)) : named;
    if (nullable === type) {
      return (value, run) => (value === null || value === undefined ? 'null' : present(value, run));
    }
    return (value, run) => {
      if (value === null || value === undefined) throw unexpected(type, value);
      return present(value, run);
    };
  }

  #named(type: unknown, below: readonly Selection[]): Write {
    if (isLeafType(type)) return leafText(type as GraphQLLeafType, this.#bounds.texts);
    const writers = new Map(below.map((each) => [each.type.name, this.object(each)]));
    if (isObjectType(type)) return writers.get(type.name) as Write;
    const { resolveType } = type as GraphQLAbstractType;
    return (value, run) => {
      const name = resolveType?.(value, run.ctx, { schema: this.#schema } as PlannedInfo, type as GraphQLAbstractType);
      const write = writers.get(String(name));
      if (!write) throw unexpected('an object type', value);
      return write(value, run);
    };
  }
}

function list(write: Write): Write {
  return (value, run) => {
    if (!Array.isArray(value)) throw unexpected('a list', value);
    const parts = value.map((item) =>
      item instanceof Promise ? handled(item.then((each) => write(each, run))) : write(item, run),
    );
    const isText = parts.every((part) => typeof part === 'string');
    return isText ? `[${parts.join()}]` : handled(Promise.all(parts).then((texts) => `[${texts.join()}]`));
  };
}
