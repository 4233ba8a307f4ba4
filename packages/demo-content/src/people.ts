import { SeededRandom, uuidOf } from './random.ts';

/** Those who can sign in. */
export const demoAccounts = [
  { id: uuidOf('demo owner'), role: 'owner', name: 'Olivia Owner', email: 'owner@demo.example' },
  { id: uuidOf('demo manager'), role: 'manager', name: 'Milo Manager', email: 'manager@demo.example' },
  { id: uuidOf('demo member'), role: 'member', name: 'Mia Member', email: 'member@demo.example' },
] as const;

export interface DemoMember {
  id: string;
  name: string;
  email: string;
}

const firstNames =
  `Amara Anton Beatriz Chiara Daniel Elif Emeka Fatima Gustav Hanna Ingrid Ivan Jonas Keiko Lars Leila Lucía Marek Mei
  Mira Nikhil Noah Oksana Paula Rafael Samira Sofia Tomás Yusuf Zoë`.split(/\s+/);

const lastNames =
  `Adeyemi Bauer Costa Demir Eriksen Fischer García Haddad Ishikawa Jansen Kowalska Lindqvist Mbeki Novák Okafor Petrov
  Quiroga Rossi Šimić Tanaka Ueda Vogel Weber Yılmaz Zhang`.split(/\s+/);

const memberCount = 90;

/** The members who cannot sign in. */
export function demoMembers(): DemoMember[] {
  const random = new SeededRandom(1);
  return Array.from({ length: memberCount }, (_, index) => {
    const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
    // é becomes e and an accent, which goes
    const plain = name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(' ', '-')
      .replace(/[^a-z-]/g, '');
    return { id: uuidOf(`demo user ${index}`), name, email: `${plain}-${index + 1}@demo.example` };
  });
}
