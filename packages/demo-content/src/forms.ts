/** A question of a form. */
export interface DemoQuestion {
  key: string;
  type: 'choice' | 'choices' | 'number' | 'long_text' | 'consent' | 'url';
  label: string;
  help?: string;
  required?: boolean;
  options?: { value: string; label: string }[];
  min?: number;
  max?: number;
}

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** The forms of demo events, by the name of the event. */
export const demoForms: Readonly<Record<string, readonly DemoQuestion[]>> = {
  'Sourdough Workshop': [
    {
      ...{ key: 'dough', type: 'choice', label: 'Which bread would you like to bake?', required: true },
      options: optionsOf({ rye: 'Rye sourdough', wheat: 'Country loaf', rolls: 'Sunday rolls' }),
    },
    {
      ...{ key: 'allergies', type: 'choices', label: 'Is there anything that you cannot eat?' },
      options: optionsOf({ nuts: 'Nuts', milk: 'Milk', sesame: 'Sesame' }),
    },
    {
      ...{ key: 'baked_before', type: 'number', label: 'How many loaves have you baked so far?' },
      ...{ help: 'Zero is a fine answer.', min: 0, max: 10_000 },
    },
    { key: 'note', type: 'long_text', label: 'What should we know?', max: 1_000 },
    { key: 'photos', type: 'consent', label: 'I agree that photos of the evening may be shown on your website.' },
  ],
  'Mentoring Circle': [
    {
      ...{ key: 'goal', type: 'long_text', label: 'What would you like to get out of the circle?' },
      ...{ help: 'A few sentences are enough. We read them before we decide.', required: true, min: 10 },
    },
    { key: 'profile', type: 'url', label: 'A page about you or your work' },
  ],
};

/** The answers of the guest with an index to the form of an event. */
export function demoAnswers(name: string, index: number): Record<string, unknown> | null {
  if (name === 'Sourdough Workshop') {
    return {
      dough: ['rye', 'wheat', 'rolls'][index % 3],
      ...(index % 3 === 1 ? { allergies: ['nuts'] } : {}),
      baked_before: index * 2,
      ...(index % 2 === 0 ? { photos: true } : {}),
    };
  }
  if (name === 'Mentoring Circle')
    return { goal: ['Change jobs within a year.', 'Lead my first team well.'][index % 2] };
  return null;
}
