import type { MemberContext } from '../context.ts';
import type { Event } from '../event/event.entity.ts';
import type { Transaction } from '../transaction.ts';
import { EventForm } from './event-form.entity.ts';
import { currentForm, type Form } from './event-form.ts';

/** Gives a copy of an event the questions of the original, as the first version of its own form. */
export async function copyForm(tx: Transaction<MemberContext>, original: Event, copy: Event): Promise<void> {
  const { questions } = await currentForm(tx.db, original.id);
  if (questions.length > 0) await writeForm(tx, copy, { version: 1, questions });
}

/** Writes a version of the form of an event, which must be locked. */
export async function writeForm(
  tx: Transaction<MemberContext>,
  event: Event,
  { version, questions }: Form,
): Promise<void> {
  tx.em.create(EventForm, { event, version, questions });
  await tx.em.flush();
}
