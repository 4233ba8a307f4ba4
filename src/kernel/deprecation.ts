/** A field or command that is going to end (reference/conventions.md#deprecations). */
export interface Deprecation {
  /** The day since when clients should use something else, as `2026-11-24`. */
  since: string;
  /** The last day on which it works. */
  sunset: string;
  /** A sentence. */
  instead: string;
}

/** The reason of GraphQL's `@deprecated`, and what REST says in a description. The release gate reads the day. */
export function deprecationReason({ instead, sunset }: Deprecation): string {
  return `${instead} Sunset: ${sunset}.`;
}
