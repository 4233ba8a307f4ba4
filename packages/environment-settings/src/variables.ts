export type Environment = Record<string, string | undefined>;

/** @param parse throws an Error if the value is invalid, whose message must not quote it: it may be a secret */
export type Read = <Value, Otherwise>(
  name: string,
  parse: (value: string) => Value,
  otherwise: Otherwise,
) => Value | Otherwise;

/** @param settingsOf reports faults of several variables together. @throws Error that lists all faults */
export function readVariables<Settings>(
  env: Environment,
  settingsOf: (read: Read, report: (name: string, fault: string) => void) => Settings,
): Settings {
  const faults: string[] = [];
  const report = (name: string, fault: string) => void faults.push(`  ${name}: ${fault}`);
  const read: Read = (name, parse, otherwise) => {
    const value = env[name];
    // Compose files and CI systems pass an absent variable as an empty one
    if (!value?.trim()) return otherwise;
    try {
      return parse(value);
    } catch (error) {
      report(name, error instanceof Error ? error.message : String(error));
      return otherwise;
    }
  };
  const settings = settingsOf(read, report);
  if (faults.length > 0) throw new Error(`The settings are not valid:\n${faults.join('\n')}`);
  return settings;
}
