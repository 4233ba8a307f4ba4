import type { MemberContext } from '../../engine/context.ts';
import type { Issue } from '../../kernel/errors.ts';
import { formLoader } from '../event/event-form.ts';
import { answersFields, checkAnswers } from './answers.ts';

interface Form {
  /** The event whose form it is; null for what is no id. */
  eventId: string | null;
  /** Whether required questions must be answered. */
  complete: boolean;
}

/**
 * The faults of answers, for an input that has other faults, too, so that all are reported at once. An input without
 * faults of its own is checked against the form once the event is locked.
 */
export async function furtherAnswerIssues(
  ctx: MemberContext,
  sent: Readonly<Record<string, unknown>>,
  { eventId, complete }: Form,
): Promise<Issue[]> {
  const answers = answersFields.answers.safeParse(sent.answers);
  if (!answers.success || eventId === null) return [];
  const form = await formLoader(ctx, null).load(eventId);
  const checked = form && checkAnswers(form, { answers: answers.data }, { complete });
  return checked && 'issues' in checked ? checked.issues : [];
}
