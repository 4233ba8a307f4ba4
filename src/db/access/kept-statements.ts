import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Planned } from './our-statements.ts';
import { keptNames, Statement } from './statement.ts';

/** How many statements connections keep prepared, and for how many others the demand is tracked. */
const max = { kept: 200, known: 2_000 };

/** Longer statements insert many rows at once, or have a filter of many conditions: their texts are rarely the same. */
const maxLength = 5_000;

/** After this many uses of all statements together, earlier demand counts half. */
const period = 20_000;

/** The demand for a statement. */
interface Demand {
  /** How many times the user differed from the previous one. */
  users: number;
  uses: number;
  lastUser: string | null;
}

interface Kept {
  statement: Statement;
  demand: Demand;
}

/**
 * Decides which statements connections keep prepared: those used by most users first, then those used most often. So one
 * user's many selections of fields cannot evict the statements that everybody uses.
 */
export class KeptStatements {
  readonly #kept = new Map<string, Kept>();
  readonly #others = new LRUCache<string, Demand>({ max: max.known });
  #uses = 0;

  /**
   * The statement under its name; undefined if it is not kept.
   *
   * @param planned null to let PostgreSQL decide; the same for each use of a text
   */
  find(text: string, user: string | null, planned: Planned | null = null): Statement | undefined {
    if (text.length > maxLength) return undefined;
    const kept = this.#kept.get(text);
    const demand = kept?.demand ?? this.#others.get(text) ?? { users: 0, uses: 0, lastUser: null };
    demand.uses += 1;
    if (demand.users === 0 || demand.lastUser !== user) demand.users += 1;
    demand.lastUser = user;
    this.#age();
    if (kept) return kept.statement;
    if (this.#makeRoom(demand)) return this.#keep(text, demand, planned);
    this.#others.set(text, demand);
    return undefined;
  }

  /** The name is derived from the text, so that all connections share the names. */
  #keep(text: string, demand: Demand, planned: Planned | null): Statement {
    const name = `gateway_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    const statement = new Statement(name, text, planned);
    this.#others.delete(text);
    this.#kept.set(text, { statement, demand });
    keptNames.add(name);
    return statement;
  }

  /** Evicts the statement with the lowest demand, if it is clearly lower; returns whether there is room. */
  #makeRoom(demand: Demand): boolean {
    if (this.#kept.size < max.kept) return true;
    const [text, least] = [...this.#kept].reduce((a, b) => (isLess(b[1].demand, a[1].demand, 1) ? b : a));
    if (!isLess(least.demand, demand, clearly)) return false;
    this.#kept.delete(text);
    this.#others.set(text, least.demand);
    keptNames.delete(least.statement.name);
    return true;
  }

  #age(): void {
    this.#uses += 1;
    if (this.#uses < period) return;
    this.#uses = 0;
    for (const demand of [...[...this.#kept.values()].map((each) => each.demand), ...this.#others.values()]) {
      demand.users /= 2;
      demand.uses /= 2;
    }
  }
}

/** Statements with similar demand do not evict each other, since each eviction costs a plan on every connection. */
const clearly = 1.5;

function isLess(a: Demand, b: Demand, times: number): boolean {
  return a.users * times < b.users || (a.users <= b.users && a.uses * times < b.uses);
}

/** The statements of transactions, of which there are few. */
const ofTransactions = new KeptStatements();

/** The name under which connections keep a transaction's statement prepared; empty if they do not keep it. */
export function keptName(text: string, values: readonly unknown[]): string {
  return (values.length > 0 && ofTransactions.find(text, null)?.name) || '';
}
