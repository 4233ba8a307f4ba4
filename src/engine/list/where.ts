import { countCharacters, didYouMean, isRecord, parseTimestamp } from '#input-values';
import { escapePointer, faults, type Issue } from '../../kernel/errors.ts';
import { type Condition, canonicalize, everything, negate } from './condition.ts';
import {
  type DerivedValue,
  type Dialect,
  filterNames,
  filterOf,
  type ListFilter,
  type ListResource,
  type Operator,
  operators,
  type Scalar,
} from './resource.ts';

/** The limits of a filter (reference/lists.md#limits-of-a-filter). */
export const whereLimits = { bytes: 8 * 1024, nesting: 5, conditions: 50, branches: 50, members: 100, characters: 200 };

/** Measures the compact JSON of a filter without recursion, so that no nesting can exhaust the stack. */
function measureWhere(value: unknown): Issue | null {
  const refuse = (detail: string): Issue => ({ pointer: '/where', code: 'INVALID_QUERY', detail });
  const tooLarge = `A filter can have at most ${whereLimits.bytes} bytes.`;
  let bytes = -1; // every value but the first has a separator
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    bytes += 1;
    if (typeof next === 'string') {
      if (next.includes('\0') || !next.isWellFormed())
        return refuse('A filter must not contain NUL or lone surrogates.');
      bytes += Buffer.byteLength(JSON.stringify(next));
    } else if (Array.isArray(next)) {
      bytes += 1;
      if (bytes + next.length > whereLimits.bytes) return refuse(tooLarge);
      for (const item of next) pending.push(item);
    } else if (typeof next === 'object' && next !== null) {
      bytes += 1;
      for (const [key, item] of Object.entries(next)) pending.push(key, item);
    } else {
      bytes += String(next).length;
    }
    if (bytes > whereLimits.bytes) return refuse(tooLarge);
  }
  return null;
}

/**
 * Parses a client's filter into a canonical condition, which is built from the resource's own names.
 *
 * @param value undefined, or null if the dialect says so, matches everything
 * @throws DomainError INVALID_QUERY with all issues, each with a JSON pointer below `/where`
 */
export function parseWhere(resource: ListResource, value: unknown, dialect: Dialect): Condition {
  if (value === undefined || (value === null && dialect.nullIsAbsent)) return everything;
  const oversize = measureWhere(value);
  if (oversize) throw faults('INVALID_QUERY', [oversize]);
  const parser = new WhereParser(resource, dialect);
  const condition = parser.object(value, '/where', 0);
  if (parser.issues.length > 0) throw faults('INVALID_QUERY', parser.issues);
  return canonicalize(condition);
}

class WhereParser {
  readonly issues: Issue[] = [];
  private conditions = 0;
  private readonly names: Map<string, string>;
  private readonly resource: ListResource;
  private readonly dialect: Dialect;

  constructor(resource: ListResource, dialect: Dialect) {
    this.resource = resource;
    this.dialect = dialect;
    this.names = filterNames(resource, dialect);
  }

  private refuse(pointer: string, detail: string): Condition {
    this.issues.push({ pointer, code: 'INVALID_QUERY', detail });
    return everything;
  }

  /** @param nesting how many logical operators enclose this object */
  object(value: unknown, pointer: string, nesting: number): Condition {
    if (!isRecord(value)) return this.refuse(pointer, 'A filter must be an object of conditions.');
    const keys = Object.keys(value).filter((key) => !(this.dialect.nullIsAbsent && value[key] === null));
    if (keys.length === 0 && pointer !== '/where') return this.refuse(pointer, 'A filter must not be empty.');
    return {
      kind: 'and',
      items: keys.map((key) => this.entry(key, value[key], `${pointer}/${escapePointer(key)}`, nesting)),
    };
  }

  private entry(key: string, value: unknown, pointer: string, nesting: number): Condition {
    const { operatorName } = this.dialect;
    if (key === operatorName('and') || key === operatorName('or') || key === operatorName('not')) {
      if (nesting >= whereLimits.nesting) {
        return this.refuse(pointer, `Logical operators can be nested at most ${whereLimits.nesting} levels deep.`);
      }
      if (key === operatorName('not')) return negate(this.object(value, pointer, nesting + 1));
      return this.branches(key === operatorName('and') ? 'and' : 'or', value, pointer, nesting + 1);
    }
    const { derived: values = {} } = this.dialect.bareValues ? {} : this.resource;
    const derived = Object.entries(values).find(([name]) => this.dialect.fieldName(name) === key);
    if (derived) return this.derived(...derived, value, pointer);
    const name = this.names.get(key);
    const definition = name === undefined ? undefined : filterOf(this.resource, name);
    if (name === undefined || !definition) return this.refuse(pointer, this.unknown('field', key, this.knownKeys()));
    return this.field(name, definition, value, pointer);
  }

  private branches(kind: 'and' | 'or', value: unknown, pointer: string, nesting: number): Condition {
    if (!Array.isArray(value) || value.length === 0 || value.length > whereLimits.branches) {
      return this.refuse(pointer, `This operator takes a list of 1 to ${whereLimits.branches} filters.`);
    }
    return { kind, items: value.map((item, index) => this.object(item, `${pointer}/${index}`, nesting)) };
  }

  private field(name: string, definition: ListFilter, value: unknown, pointer: string): Condition {
    if (definition.contains) return this.contains(name, value, pointer);
    if (!isRecord(value) && this.dialect.bareValues) return this.compare(name, definition, 'eq', value, pointer);
    if (!this.hasOperators(value, pointer)) return everything;
    const known = definition.operators ?? [];
    const items = Object.entries(value).map(([key, operand]) => {
      const at = `${pointer}/${escapePointer(key)}`;
      const operator = operators.find((each) => this.dialect.operatorName(each) === key);
      if (operator && known.includes(operator)) return this.compare(name, definition, operator, operand, at);
      return this.refuse(at, this.unknown('operator of this field', key, known.map(this.dialect.operatorName)));
    });
    return { kind: 'and', items };
  }

  private compare(
    name: string,
    definition: ListFilter,
    operator: Operator,
    operand: unknown,
    pointer: string,
  ): Condition {
    if (!this.countCondition(pointer)) return everything;
    const leaf = {
      ...{ kind: 'leaf' as const, field: name, nullable: definition.nullable, negated: operator === 'ne' },
      ...(definition.ofViewer && { ofViewer: true as const }),
    };
    if (operator === 'in') {
      if (!Array.isArray(operand) || operand.length === 0 || operand.length > whereLimits.members) {
        return this.refuse(pointer, `This operator takes a list of 1 to ${whereLimits.members} values.`);
      }
      const value = operand.map((item, index) => this.scalar(definition, item, `${pointer}/${index}`));
      return { ...leaf, operator, value };
    }
    const canBeNull = definition.nullable && (operator === 'eq' || operator === 'ne');
    if (operand === null && canBeNull) return { ...leaf, operator: 'eq', value: null };
    if (operator === 'ne' && definition.type === 'timestamp') {
      return this.refuse(pointer, 'On a timestamp this operator takes only null.');
    }
    const value = this.scalar(definition, operand, pointer);
    return { ...leaf, operator: operator === 'ne' ? 'eq' : operator, value };
  }

  private scalar(definition: ListFilter, value: unknown, pointer: string): Scalar {
    const parsed = this.parseScalar(definition, value);
    if (typeof parsed !== 'object') return parsed;
    this.refuse(pointer, parsed.expected);
    return null;
  }

  private parseScalar(definition: ListFilter, value: unknown): string | number | boolean | { expected: string } {
    switch (definition.type) {
      case 'uuid':
        return this.dialect.parseId(value, definition.noun) ?? { expected: 'An id must be a UUID.' };
      case 'integer':
        if (typeof value === 'number' && Number.isInteger(value) && value === (value | 0)) return value | 0;
        return { expected: 'A whole number of 32 bits is expected.' };
      case 'boolean':
        return typeof value === 'boolean' ? value : { expected: 'true or false is expected.' };
      case 'timestamp':
        return parseTimestamp(value) ?? { expected: 'A timestamp must be ISO 8601 with time and zone.' };
      case 'enum':
        if (typeof value === 'string' && definition.members?.includes(value)) return value;
        return { expected: `One of ${definition.members?.join(', ')} is expected.` };
      default:
        if (typeof value !== 'string') return { expected: 'A string is expected.' };
        return definition.normalize?.(value) ?? value;
    }
  }

  private contains(name: string, value: unknown, pointer: string): Condition {
    let text = value;
    let at = pointer;
    if (!this.dialect.bareValues) {
      if (!this.hasOperators(value, pointer)) return everything;
      const stranger = Object.keys(value).find((key) => key !== 'contains');
      if (stranger) return this.refuse(`${pointer}/${stranger}`, this.unknown('operator', stranger, ['contains']));
      text = value.contains;
      at = `${pointer}/contains`;
    }
    if (!this.countCondition(at)) return everything;
    const length = typeof text === 'string' ? countCharacters(text, whereLimits.characters) : 0;
    if (length < 1 || length > whereLimits.characters) {
      return this.refuse(at, `A string of 1 to ${whereLimits.characters} characters is expected.`);
    }
    const leaf = { kind: 'leaf' as const, field: name, nullable: false, negated: false };
    return { ...leaf, operator: 'contains', value: text as string };
  }

  private derived(field: string, { members }: DerivedValue, value: unknown, pointer: string): Condition {
    if (!this.hasOperators(value, pointer)) return everything;
    const at = `${pointer}/eq`;
    if (!this.countCondition(at)) return everything;
    const member = members.find((each) => each === value.eq);
    if (!member) return this.refuse(at, `One of ${members.join(', ')} is expected.`);
    return { kind: 'leaf', field, operator: 'derived', value: member, nullable: false, negated: false };
  }

  private hasOperators(value: unknown, pointer: string): value is Record<string, unknown> {
    if (!isRecord(value)) this.refuse(pointer, 'This field takes an object of operators.');
    else if (Object.keys(value).length === 0) this.refuse(pointer, 'The object must not be empty.');
    else return true;
    return false;
  }

  private countCondition(pointer: string): boolean {
    this.conditions += 1;
    if (this.conditions <= whereLimits.conditions) return true;
    if (this.conditions === whereLimits.conditions + 1) {
      this.refuse(pointer, `A filter can have at most ${whereLimits.conditions} conditions.`);
    }
    return false;
  }

  private knownKeys(): string[] {
    return [...this.names.keys(), ...(['and', 'or', 'not'] as const).map(this.dialect.operatorName)];
  }

  private unknown(what: string, key: string, known: readonly string[]): string {
    return `Unknown ${what}${didYouMean(key, known)}`;
  }
}
