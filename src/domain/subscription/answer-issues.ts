import type { MemberContext } from '../../engine/context.ts';
import type { Issue } from '../../kernel/errors.ts';
import { formLoader } from '../event/event-form.ts';
import { answersFields, checkAnswers } from './answers.ts';

interface Form {
  /** The event of the form; null if the client sent no valid id. */
  eventId: string | null;
  /** Whether required questions must be answered. */
  complete: boolean;
}

/**
 * The issues of the answers in an input that has other issues too, so that all are reported at once. The answers of an
 * otherwise valid input are checked once the event is locked.
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
