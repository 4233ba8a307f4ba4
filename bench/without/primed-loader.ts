import DataLoader from 'dataloader';

/** Rows that were read with others are primed in DataLoader's way, as a promise each. */
export class PrimedLoader<Value> extends DataLoader<string, Value | null> {
  find(key: string): Promise<Value | null> {
    return this.load(key);
  }

  fill(key: string, value: Value): void {
    this.prime(key, value);
  }
}
