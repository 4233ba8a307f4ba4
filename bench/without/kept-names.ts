/** Connections keep no prepared statements: each statement is parsed and planned again. */
export class KeptNames {
  of(): string {
    return '';
  }
}

export function makeRoom(): void {}
