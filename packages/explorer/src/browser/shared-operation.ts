/** An operation with its variables as JSON; it may lack them. */
export interface SharedOperation {
  query: string;
  variables: string;
}

/** What an address asks the page to show. @param search of the address */
export function sharedOperation(search: string): SharedOperation | null {
  const given = new URLSearchParams(search);
  const query = given.get('query');
  return query ? { query, variables: given.get('variables') ?? '' } : null;
}

/** The address of a page that shows an operation. */
export function addressOf(page: string, { query, variables }: SharedOperation): string {
  const address = new URL(page);
  address.hash = '';
  address.search = String(new URLSearchParams({ query, ...(variables.trim() && { variables }) }));
  return address.href;
}
