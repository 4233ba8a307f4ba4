import type { Question } from '../../domain/form/question.ts';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { Pace } from '../../kernel/pace.ts';

/** The maximum number of questions and options in the result of an operation: twenty of the largest forms. */
const maxParts = 51_000;
/** As many need no pauses. */
const fewParts = 5_000;

/**
 * The questions and options that an operation returns. Each is an object that the executor makes, and a form can have
 * thousands, under every alias again: so it makes those of one form after the other, and lets other requests have their
 * turn in between (interface/bounds.md#one-request).
 */
class FormParts {
  #parts = 0;
  #last: Promise<unknown> = Promise.resolve();
  readonly #pace = new Pace();

  /** @throws DomainError INVALID_QUERY */
  take(questions: Question[]): Question[] | Promise<Question[]> {
    this.#parts += questions.reduce((sum, { options = [] }) => sum + 1 + options.length, 0);
    if (this.#parts > maxParts) {
      throw new DomainError('INVALID_QUERY', {
        detail: `The operation asks for more than ${maxParts} questions and options; ask for smaller pages.`,
      });
    }
    if (this.#parts <= fewParts) return questions;
    const turn = this.#last.then(async () => {
      if (this.#pace.isDue()) await this.#pace.rest();
    });
    this.#last = turn;
    return turn.then(() => questions);
  }

  /** The parts of an operation are counted through its mutations. */
  clearAll(): void {}
}

/** The questions of a form, as the result of the operation. @throws DomainError INVALID_QUERY */
export function questionsOf({ loaders }: Context, questions: Question[]): Question[] | Promise<Question[]> {
  return loaders.once('form parts', () => new FormParts()).take(questions);
}
