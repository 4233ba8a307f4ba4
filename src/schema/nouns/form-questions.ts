import type { Question } from '../../domain/form/question.ts';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isTurnOver, nextTurn } from '../../kernel/pace.ts';

/** The maximum number of questions and options in the result of an operation: twenty of the largest forms. */
const maxParts = 51_000;
/** As many are made at a time: those of the largest form. */
const partsInTurn = 2_600;

/**
 * The questions and options that an operation returns. Each is an object that the executor makes, and a form can have
 * thousands, under every alias again: so it makes those of about one form in a turn of the event loop, and other requests have
 * their turn in between (reference/limits.md#one-request).
 */
class FormParts {
  #parts = 0;
  #inTurn = 0;
  /** The turn of the forms that are taken now; null while they need none of their own. */
  #turn = isTurnOver() ? nextTurn() : null;

  /** @throws DomainError INVALID_QUERY */
  take(questions: Question[]): Question[] | Promise<Question[]> {
    const parts = questions.reduce((sum, { options = [] }) => sum + 1 + options.length, 0);
    this.#parts += parts;
    if (this.#parts > maxParts) {
      throw new DomainError('INVALID_QUERY', {
        detail: `The operation asks for more than ${maxParts} questions and options; ask for smaller pages.`,
      });
    }
    this.#inTurn += parts;
    if (this.#inTurn > partsInTurn) {
      this.#turn = Promise.resolve(this.#turn).then(nextTurn);
      this.#inTurn = parts;
    }
    return this.#turn?.then(() => questions) ?? questions;
  }

  /** The parts of an operation are counted through its mutations. */
  clearAll(): void {}
}

/** The questions of a form, as the result of the operation. @throws DomainError INVALID_QUERY */
export function questionsOf({ loaders }: Context, questions: Question[]): Question[] | Promise<Question[]> {
  return loaders.once('form parts', () => new FormParts()).take(questions);
}
