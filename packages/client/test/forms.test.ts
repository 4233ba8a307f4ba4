import { expect, it } from 'vitest';
import { answersOf } from '../src/react.ts';

it('reads the answers of a form, with the types of either API', () => {
  const typed = new FormData();
  const fields = [
    ['dish', ' Pie '],
    ['guests', '0'],
    ['talks', 'bread'],
    ['talks', 'wine'],
    ['rules', 'on'],
    ['note', ''],
    ['other', 'no question'],
  ] as const;
  for (const [name, value] of fields) typed.append(name, value);
  const types = {
    dish: 'text',
    guests: 'number',
    talks: 'choices',
    rules: 'consent',
    note: 'long_text',
    news: 'consent',
  };
  const questions = Object.entries(types).map(([key, type]) => ({ key, type }));
  const answers = { dish: ' Pie ', guests: 0, talks: ['bread', 'wine'], rules: true };
  expect(answersOf(questions, typed)).toEqual(answers);
  const ofGraphql = questions.map(({ key, type }) => ({ key, type: type.toUpperCase() }));
  expect(answersOf(ofGraphql, typed)).toEqual(answers);
});
