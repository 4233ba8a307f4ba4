/** One change of a contract that a client may notice as a failure. */
export interface Break {
  face: 'REST' | 'GraphQL';
  /** What a line of the changelog must name, such as `Event.location`, `GET /events` or `Mutation.createEvent`. */
  name: string;
  /** The field of a noun, under the names of its face; null if it is something else. */
  field: string | null;
  /** In words. */
  what: string;
  removal: boolean;
  /** The last day on which the removed was promised, as its deprecation said; null without one. */
  sunset: string | null;
}
