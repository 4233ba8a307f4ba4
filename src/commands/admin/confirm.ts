import { createInterface } from 'node:readline/promises';
import { UsageError } from './verb.ts';

/** Whether the operator typed the name of what is about to be destroyed. @throws UsageError without a terminal */
export async function confirm(name: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError(`This destroys “${name}”: confirm with --yes.`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question(`This destroys “${name}”. Type the name to continue: `)) === name;
  } finally {
    prompt.close();
  }
}
