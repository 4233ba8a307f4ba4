/** Connections keep no prepared statements: each statement is parsed and planned again. */
export class KeptStatements {
  find(): undefined {
    return undefined;
  }
}

export function keptName(): string {
  return '';
}
