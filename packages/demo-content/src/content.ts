import { type DemoEvent, demoBookEvents, demoEvents } from './events.ts';
import { type DemoQuestion, demoForms } from './forms.ts';
import type { Journey } from './journey.ts';
import { type DemoMember, demoAccounts, demoMembers } from './people.ts';
import { profiles } from './programme.ts';
import { uuidOf } from './random.ts';
import { demoScenes } from './scenes.ts';
import { demoSubscriptions } from './subscriptions.ts';

/** The large organization, and the small one of a book club. */
export const demoOrganizations = {
  harbour: { ...profiles.harbour, id: uuidOf('demo organization') },
  books: { ...profiles.books, id: uuidOf('demo second organization') },
};

export interface DemoContent {
  /** The members who cannot sign in. */
  members: DemoMember[];
  /** The events of each organization, without slugs. */
  events: Record<keyof typeof demoOrganizations, DemoEvent[]>;
  forms: { event: string; questions: readonly DemoQuestion[] }[];
  /** The subscriptions to the events of the large organization, with their histories. */
  journeys: Journey[];
}

/** The content of the demo, the same each time, with times relative to `now`. */
export function demoContent(now: Date): DemoContent {
  const members = demoMembers();
  const subscribers = [...demoAccounts.filter(({ role }) => role === 'member'), ...members].map(({ id }) => id);
  const manager = uuidOf('demo manager');
  const events = demoEvents(now);
  const scenes = demoScenes(subscribers, manager, now);
  return {
    members,
    events: { harbour: [...events, ...scenes.events], books: demoBookEvents(now) },
    forms: scenes.events.flatMap(({ id, name }) => {
      const questions = demoForms[name];
      return questions ? [{ event: id, questions }] : [];
    }),
    journeys: [...demoSubscriptions(events, subscribers, manager, now), ...scenes.journeys],
  };
}
