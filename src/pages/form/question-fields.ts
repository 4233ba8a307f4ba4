import type { Question } from '../../domain/form/question.ts';
import { isTurnOver, nextTurn } from '../../kernel/pace.ts';
import { Html } from '../html.ts';
import type { Faults } from './faults.ts';
import { questionField } from './question-field.ts';
import { fieldName, type Typed } from './typed.ts';

/** The fields of a form. A form may be a megabyte long, so this yields to other work between questions. */
export async function questionFields(questions: readonly Question[], typed: Typed, faults: Faults): Promise<Html> {
  const fields: string[] = [];
  for (const question of questions) {
    if (isTurnOver()) await nextTurn();
    fields.push(questionField(question, typed, faults.get(fieldName(question))).text);
  }
  return new Html(fields.join(''));
}
