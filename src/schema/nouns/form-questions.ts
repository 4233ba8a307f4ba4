import { isTurnOver, nextTurn } from '#fair-turns';
import type { Question } from '../../domain/form/question.ts';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';

/** Questions and options in the result of an operation: twenty of the largest forms. */
const maxParts = 51_000;
/** Parts made at a time: those of the largest form. */
const partsInTurn = 2_600;

/**
 * The executor makes an object of each question and option, and a form can have thousands, under every alias again:
 * about one form is made per turn of the event loop, so that other requests can run (reference/limits.md#one-request).
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

  /** Counts across the mutations of an operation. */
  clearAll(): void {}
}

/** @throws DomainError INVALID_QUERY */
export function questionsOf({ loaders }: Context, questions: Question[]): Question[] | Promise<Question[]> {
  return loaders.once('form parts', () => new FormParts()).take(questions);
}
