import sql, { type Sql } from 'sql-template-tag';

/** Before every organization. */
const start = '00000000-0000-0000-0000-000000000000';

/** Lets organizations take turns, however much each has waiting. A process has one for each kind of work. */
export class OrganizationTurns {
  readonly #rows: Sql;
  #last = start;

  /** @param rows a table and condition with an index over `organization_id, due_at`, as `from job where …` */
  constructor(rows: Sql) {
    this.#rows = rows;
  }

  /**
   * Runs a statement with organizations that have due rows, those first that come after the last one; with all of them
   * if nothing comes after it.
   *
   * @param statement takes a query for `organization_id`, in turn, and returns the organizations whose rows it took
   */
  async take<Row extends { organization_id: string }>(
    statement: (turns: Sql) => Promise<Row[]>,
    options: { except?: readonly string[]; count?: number } = {},
  ): Promise<Row[]> {
    const taken = await statement(this.#query(options));
    const last =
      taken
        .map(({ organization_id: id }) => id)
        .toSorted()
        .at(-1) ?? start;
    const fromTheStart = this.#last === start;
    this.#last = last;
    return taken.length > 0 || fromTheStart ? taken : await this.take(statement, options);
  }

  /** A loose scan of the index: it looks at one row of each organization. */
  #query({ except = [], count }: { except?: readonly string[]; count?: number }): Sql {
    const first = (after: Sql) => sql`select organization_id, due_at ${this.#rows} and organization_id > ${after}
      order by organization_id, due_at limit 1`;
    return sql`with recursive turn as (
        (${first(sql`${this.#last}::uuid`)})
        union all select next.organization_id, next.due_at from turn cross join lateral (${first(sql`turn.organization_id`)}) next
      )
      select organization_id from turn where due_at <= now() and organization_id <> all(${except}::uuid[])
      limit ${count ?? null}::bigint`;
  }
}
