/** No connection keeps a statement: each is parsed and planned again. */
export class KeptStatements {
  find(): undefined {
    return undefined;
  }
}

export function keptName(): string {
  return '';
}
