import { createRequire } from 'node:module';
import { type GraphQLSchema, getNamedType, isObjectType, type OperationDefinitionNode } from 'graphql';
import type { CompiledQuery, ResolveInfoEnricherInput } from 'graphql-jit';
import type { Context } from '../domain/context.ts';
import type { WellFormedDocument } from './document.ts';
import { fragmentsOf, Selection } from './selection.ts';

// its ES modules import each other without file extensions, which Node.js refuses
const { compileQuery, isCompiledQuery } = createRequire(import.meta.url)('graphql-jit') as typeof import('graphql-jit');

/** An operation is compiled when it is run for this many-th time: what is asked once is not worth it. */
const compileAtRun = 3;
/** How many compiled operations are kept; the one used longest ago goes first. */
const maxCompiled = 200;

/** What compiled operations tell their resolvers besides what the executor tells them. */
export interface CompiledInfo {
  /** The selection below the field, worked out once and not for each request; for fields that answer an object type. */
  selection?: Selection;
  /** The same for fields that answer the interface, by type. */
  selections?: Map<string, Selection>;
}

/**
 * Queries as functions (graphql-jit): those that clients send over and over run without the executor's walk over the
 * document. What is compiled serves success only. As soon as anything goes wrong, the executor answers in its place, so
 * that errors, nulls and their order are the executor's.
 */
export class CompiledOperations {
  readonly #schema: GraphQLSchema;
  readonly #runs = new WeakMap<OperationDefinitionNode, number>();
  /** In the order of use; null where an operation cannot be compiled. */
  readonly #compiled = new Map<OperationDefinitionNode, CompiledQuery | null>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /**
   * The data of a query, or null where the executor must run it.
   *
   * @param parsed validated, and without faults
   * @param variables as the client sent them; coercion has found nothing wrong with them
   */
  async run(
    parsed: WellFormedDocument,
    operation: OperationDefinitionNode,
    ctx: Context,
    variables: Record<string, unknown> | undefined,
  ): Promise<Record<string, unknown> | null> {
    const compiled = this.#find(parsed, operation, ctx);
    if (!compiled) return null;
    const { data, errors } = await compiled.query({}, ctx, variables ?? {});
    return errors || !data ? null : data;
  }

  #find(parsed: WellFormedDocument, operation: OperationDefinitionNode, ctx: Context): CompiledQuery | null {
    const known = this.#compiled.get(operation);
    if (known !== undefined) {
      this.#compiled.delete(operation);
      this.#compiled.set(operation, known);
      return known;
    }
    // compiling is dear: nobody makes us do it who is not signed in
    const runs = (this.#runs.get(operation) ?? 0) + 1;
    this.#runs.set(operation, runs);
    if (runs < compileAtRun || !ctx.viewer) return null;
    const compilable = parsed.plain && operation.operation === 'query';
    const compiled = compilable ? this.#compile(parsed, operation) : null;
    this.#compiled.set(operation, compiled);
    const [oldest] = this.#compiled.size > maxCompiled ? this.#compiled.keys() : [];
    if (oldest) this.#compiled.delete(oldest);
    return compiled;
  }

  #compile({ document }: WellFormedDocument, operation: OperationDefinitionNode): CompiledQuery | null {
    const fragments = fragmentsOf(document);
    const compiled = compileQuery(this.#schema, document, operation.name?.value, {
      disablingCapturingStackErrors: true,
      resolverInfoEnricher: (field) => enrich(field, fragments),
    });
    return isCompiledQuery(compiled) ? compiled : null;
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
