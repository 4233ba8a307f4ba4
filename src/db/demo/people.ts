import { slugOf } from '../../kernel/slug.ts';
import { SeededRandom, uuidOf } from '../random.ts';

const firstNames =
  `Amara Anton Beatriz Chiara Daniel Elif Emeka Fatima Gustav Hanna Ingrid Ivan Jonas Keiko Lars Leila Lucía Marek Mei
  Mira Nikhil Noah Oksana Paula Rafael Samira Sofia Tomás Yusuf Zoë`.split(/\s+/);

const lastNames =
  `Adeyemi Bauer Costa Demir Eriksen Fischer García Haddad Ishikawa Jansen Kowalska Lindqvist Mbeki Novák Okafor Petrov
  Quiroga Rossi Šimić Tanaka Ueda Vogel Weber Yılmaz Zhang`.split(/\s+/);

const memberCount = 90;

/** The members besides those who can sign in. */
export function demoMembers(): { id: string; name: string; email: string }[] {
  const random = new SeededRandom(1);
  return Array.from({ length: memberCount }, (_, index) => {
    const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
    const plain = slugOf(name, 'member')
      .normalize('NFKD')
      .replace(/[^a-z-]/g, '');
    return { id: uuidOf(`demo user ${index}`), name, email: `${plain}-${index + 1}@demo.example` };
  });
}
