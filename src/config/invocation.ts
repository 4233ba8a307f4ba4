import path from 'node:path';

/** What to type to run a command, with the program of the npm package or in a clone. @param script of package.json */
export function invocation(name: string, script: string): string {
  const isProgram = path.basename(process.argv[1] ?? '').startsWith('events-gateway');
  return isProgram ? `events-gateway ${name}` : `npm run ${script} --`;
}
