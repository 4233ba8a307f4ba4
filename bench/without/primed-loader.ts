import DataLoader from 'dataloader';

/** Rows that came with others are primed as DataLoader does it: each is a promise. */
export class PrimedLoader<Value> extends DataLoader<string, Value | null> {
  find(key: string): Promise<Value | null> {
    return this.load(key);
  }

  fill(key: string, value: Value): void {
    this.prime(key, value);
  }
}
