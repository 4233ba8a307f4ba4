/** What a list has to know of a change: this much of `changes { change { … } }` is selected. */
export interface AppliedChange {
  kind: string;
  op: string;
  objectGlobalId?: string | null;
  event?: { id?: string } | null;
  subscription?: { id?: string } | null;
}
