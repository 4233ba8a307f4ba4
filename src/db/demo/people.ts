import { slugOf } from '../../kernel/slug.ts';
import { SeededRandom, uuidOf } from '../random.ts';
import { firstNames, lastNames } from './words.ts';

const memberCount = 90;

export interface DemoPerson {
  id: string;
  name: string;
  email: string;
}

/** The members besides those who can sign in. */
export function demoMembers(): DemoPerson[] {
  const random = new SeededRandom(1);
  return Array.from({ length: memberCount }, (_, index) => {
    const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
    return {
      id: uuidOf(`demo user ${index}`),
      name,
      email: `${slugOf(name, 'member')
        .normalize('NFKD')
        .replace(/[^a-z-]/g, '')}-${index + 1}@demo.example`,
    };
  });
}
