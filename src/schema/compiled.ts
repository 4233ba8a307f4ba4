import { createRequire } from 'node:module';
import {
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  type OperationDefinitionNode,
} from 'graphql';
import type { CompiledQuery, ResolveInfoEnricherInput } from 'graphql-jit';
import type { Context } from '../domain/context.ts';
import { RecentMap } from '../domain/recent-map.ts';
import { type CompilableOperation, compilable } from './compilable.ts';
import type { WellFormedDocument } from './document.ts';
import { fragmentsOf, Selection } from './selection.ts';

// its ES modules import each other without file extensions, which Node.js refuses
const { compileQuery, isCompiledQuery } = createRequire(import.meta.url)('graphql-jit') as typeof import('graphql-jit');

/** An operation is compiled when it is run for this many-th time: what is asked once is not worth it. */
const compileAtRun = 3;
/** How many compiled operations are kept. */
const maxCompiled = 100;

/**
 * How many fields an operation may have with its fragments opened at each of their places: all of them become code, some
 * 4 KB each where they lie deep.
 */
const maxFields = 250;

/** What compiled operations tell their resolvers besides what the executor tells them. */
export interface CompiledInfo {
  /** The selection below the field, worked out once and not for each request; for fields that answer an object type. */
  selection?: Selection;
  /** The same for fields that answer the interface, by type. */
  selections?: Map<string, Selection>;
}

/** A query as a function, and what makes its variables. */
interface Compiled extends Pick<CompilableOperation, 'variables'> {
  query: CompiledQuery['query'];
}

/**
 * Queries as functions (graphql-jit): those that clients send over and over run without the executor's walk over the
 * document. What is compiled serves success only. As soon as anything goes wrong, the executor answers in its place, so
 * that errors, nulls and their order are the executor's.
 */
export class CompiledOperations {
  readonly #schema: GraphQLSchema;
  readonly #runs = new WeakMap<OperationDefinitionNode, number>();
  /** Null where an operation cannot be compiled. */
  readonly #compiled = new RecentMap<OperationDefinitionNode, Compiled | null>(maxCompiled);

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /**
   * The data of a query, or null where the executor must run it.
   *
   * @param parsed validated, and without faults
   * @param values coerced already
   */
  async run(
    parsed: WellFormedDocument,
    operation: OperationDefinitionNode,
    ctx: Context,
    values: GraphQLResolveInfo['variableValues'],
  ): Promise<Record<string, unknown> | null> {
    const compiled = this.#find(parsed, operation, ctx);
    const variables = compiled?.variables(values);
    if (!compiled || !variables) return null;
    try {
      const { data, errors } = await compiled.query({}, ctx, variables);
      if (data && !errors) return data;
    } catch {
      // the compiler gives up where it cannot take away what an error spoils
    }
    // the executor begins anew: with rows that are there already, errors would come in another order
    ctx.loaders.clear();
    return null;
  }

  #find(parsed: WellFormedDocument, operation: OperationDefinitionNode, ctx: Context): Compiled | null {
    const known = this.#compiled.get(operation);
    if (known !== undefined) return known;
    // compiling is dear: nobody makes us do it who is not signed in, and what was dropped since waits as long again
    const runs = (this.#runs.get(operation) ?? (parsed.trusted ? compileAtRun - 1 : 0)) + 1;
    this.#runs.set(operation, runs);
    if (runs < compileAtRun || !(parsed.trusted || ctx.viewer)) return null;
    this.#runs.set(operation, 0);
    const suitable = parsed.plain && operation.operation === 'query';
    const compiled = suitable ? this.#compile(parsed, operation) : null;
    this.#compiled.set(operation, compiled);
    return compiled;
  }

  #compile({ document }: WellFormedDocument, operation: OperationDefinitionNode): Compiled | null {
    const prepared = compilable(this.#schema, document, operation);
    if (!prepared) return null;
    const fragments = fragmentsOf(prepared.document);
    const root = this.#schema.getQueryType() as GraphQLObjectType;
    const source = { schema: this.#schema, fragments };
    if (new Selection(source, root, [operation.selectionSet]).size(maxFields) > maxFields) return null;
    const compiled = compileQuery(this.#schema, prepared.document, undefined, {
      disablingCapturingStackErrors: true,
      resolverInfoEnricher: (field) => enrich(field, fragments),
    });
    return isCompiledQuery(compiled) ? { query: compiled.query, variables: prepared.variables } : null;
  }
}

/** Without directives, a selection depends on no variable. */
function enrich(
  { schema, fieldNodes, returnType }: ResolveInfoEnricherInput,
  fragments: ReturnType<typeof fragmentsOf>,
): CompiledInfo {
  const named = getNamedType(returnType);
  const source = { schema, fragments };
  return isObjectType(named)
    ? { selection: Selection.of(source, named, fieldNodes) }
    : { selections: new Map<string, Selection>() };
}
