/** Connections keep no prepared statements: each statement is parsed and planned again. */
export function keptName(): string {
  return '';
}

export function makeRoom(): void {}
