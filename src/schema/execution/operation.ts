import {
  type FieldNode,
  type GraphQLError,
  type GraphQLResolveInfo,
  getNamedType,
  getNullableType,
  isListType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
  type ValidatedExecutionArgs,
} from 'graphql';
import { isSkipped } from '../builder/arguments.ts';
import type { FieldExtensions } from '../builder/field-extensions.ts';
import { type CompiledQuery, compileOperation } from './compile.ts';
import { measureCost } from './cost.ts';
import type { DocumentFacts } from './document-facts.ts';

export type Variables = Record<string, unknown>;

/** A root field of an operation; the extensions of a field that does not exist are empty. */
export interface RootField {
  node: FieldNode;
  extensions: FieldExtensions;
}

/** An operation is compiled at its second execution: compiling is not worth it for a single one. */
const compileAtRun = 2;

/** An operation of a document, with everything that is cached for it: root fields, cost and compiled query. */
export class KnownOperation {
  readonly node: OperationDefinitionNode;
  readonly document: DocumentFacts;
  #runs: number;
  #compiled: CompiledQuery | null = null;
  #roots: RootField[] | null = null;
  #cost: { of: string; cost: number | GraphQLError } | null = null;
  /** The names of the variables that the cost depends on; null if the cost cannot be cached. */
  #costVariables: readonly string[] | null | undefined;

  constructor(document: DocumentFacts, node: OperationDefinitionNode) {
    this.document = document;
    this.node = node;
    this.#runs = document.trusted ? compileAtRun - 1 : 0;
  }

  /** The compiled query; null if the operation is new or cannot be compiled. */
  get compiled(): CompiledQuery | null {
    return this.#compiled;
  }

  /** Counts an execution of an operation that is cached, and compiles it when it is worth it. */
  countRun(): void {
    if (this.#runs === compileAtRun) return;
    this.#runs += 1;
    if (this.#runs < compileAtRun) return;
    this.#compiled = compileOperation(this.document, this.node);
    this.document.bytes += this.#compiled?.bytes ?? 0;
  }

  /**
   * The root fields that are not skipped. Uses only the document, so that it works before validation. Each fragment is visited
   * once, which bounds the time.
   */
  rootFields(variables: () => Variables): readonly RootField[] {
    if (this.#roots) return this.#roots;
    const { roots, fixed } = this.#findRoots(variables);
    if (fixed) this.#roots = roots;
    return roots;
  }

  #findRoots(variables: () => Variables): { roots: RootField[]; fixed: boolean } {
    const { schema, fragments } = this.document;
    const declared = schema.getRootType(this.node.operation)?.getFields();
    const roots: RootField[] = [];
    const seen = new Set<string>();
    let fixed = true;
    const pending: SelectionSetNode[] = [this.node.selectionSet];
    for (let set = pending.pop(); set; set = pending.pop()) {
      for (const node of set.selections) {
        if (node.directives?.length) fixed = false;
        if (isSkipped(node, variables)) continue;
        if (node.kind === 'Field') roots.push({ node, extensions: declared?.[node.name.value]?.extensions ?? {} });
        else if (node.kind === 'InlineFragment') pending.push(node.selectionSet);
        else {
          const fragment = seen.has(node.name.value) ? undefined : fragments[node.name.value];
          seen.add(node.name.value);
          if (fragment) pending.push(fragment.selectionSet);
        }
      }
    }
    return { roots, fixed };
  }

  /**
   * The maximum number of nodes in the result; cached for the last values of the variables that it depends on.
   *
   * @returns the number, or the error that refuses the operation
   */
  cost(variableValues: GraphQLResolveInfo['variableValues']): number | GraphQLError {
    this.#costVariables ??= this.#findCostVariables();
    const { coerced } = variableValues;
    const of = this.#costVariables && JSON.stringify(this.#costVariables.map((name) => coerced[name]));
    if (of !== null && this.#cost?.of === of) return this.#cost.cost;
    const { schema, fragments } = this.document;
    const cost = measureCost({ schema, fragments, variableValues, operation: this.node });
    if (of !== null) this.#cost = { of, cost };
    return cost;
  }

  /** Costs depend on numbers, on the length of lists and on skipped fields; those of introspection also on strings. */
  #findCostVariables(): readonly string[] | null {
    const { schema, plain } = this.document;
    const definitions = this.node.variableDefinitions ?? [];
    if (definitions.length > 0 && !plain) return null;
    const variables = definitions.map(({ type, variable }) => ({
      name: variable.name.value,
      type: typeFromAST(schema, type),
    }));
    if (variables.some(({ type }) => isListType(getNullableType(type)))) return null;
    return variables.filter(({ type }) => getNamedType(type)?.name === 'Int').map(({ name }) => name);
  }
}

/** A validated operation. */
export interface OperationExecution {
  operation: KnownOperation;
  args: ValidatedExecutionArgs;
  cost: number;
  /** Rethrows errors that fail the whole operation, for which retrying with graphql-js is useless. */
  checkFailure(failure: unknown): void;
  /** Runs one payload of a subscription when it is its turn: an expensive one waits as an expensive query does. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}
