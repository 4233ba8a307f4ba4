import { DomainError } from '../../kernel/errors.ts';

/** How many streams may be open on each process (interface/changes.md#bounds-of-streams). */
export interface StreamBounds {
  perUser: number;
  perOrganization: number;
  total: number;
}

/** Seconds after which a place may be free. */
const retryAfter = 10;

/** Counts the open streams. */
export class StreamSlots {
  readonly #bounds: StreamBounds;
  readonly #limited: boolean;
  readonly #open = new Map<string, number>();
  #total = 0;

  /** @param limited whether users and organizations are limited */
  constructor(bounds: StreamBounds, limited: boolean) {
    this.#bounds = bounds;
    this.#limited = limited;
  }

  /** The number of open streams. */
  get total(): number {
    return this.#total;
  }

  /**
   * Takes a place for a stream.
   *
   * @returns gives it back
   * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE
   */
  take(userId: string, organizationId: string): () => void {
    const { perUser, perOrganization, total } = this.#bounds;
    if (this.#total >= total) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter });
    const keys = [
      [`user ${userId}`, perUser, 'user'],
      [`organization ${organizationId}`, perOrganization, 'organization'],
    ] as const;
    for (const [key, most, whose] of keys) {
      if (!this.#limited || (this.#open.get(key) ?? 0) < most) continue;
      const detail = `One ${whose} can have at most ${most} streams open.`;
      throw new DomainError('RATE_LIMITED', { detail, retryAfter });
    }
    this.#total += 1;
    for (const [key] of keys) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    return () => {
      this.#total -= 1;
      for (const [key] of keys) {
        const left = (this.#open.get(key) ?? 1) - 1;
        if (left > 0) this.#open.set(key, left);
        else this.#open.delete(key);
      }
    };
  }
}
