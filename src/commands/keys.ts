import { describeRotation, describeSecrets } from '#rotating-secrets';
import { invocation } from '../config/invocation.ts';
import { secretsPath } from '../config/secrets.ts';
import {
  environmentForm,
  keptDays,
  makeSecretsFile,
  openSecretsFile,
  rotate,
  type SecretKind,
  secretKinds,
  secretVariables,
  writeSecretsFile,
} from '../config/secrets-file.ts';
import { readKeySettings } from '../config/settings.ts';

const usage = `${invocation('keys', 'keys')} COMMAND [cookie|cursor|encryption|jwt ...]

  list            lists the secrets kept under DATA_DIR, by fingerprint
  rotate          takes the next step of a rotation; a running service reloads its secrets
                    1. adds a secret that verifies but does not sign yet
                    2. at least ten minutes later: the new secret signs; the old one still verifies
                  Also removes secrets when nothing that they signed is still valid. Nobody is signed out.
  rotate --now    takes both steps at once, for a service of a single process
  revoke          after a leak: replaces all secrets at once and prints the consequences
  new             prints new values for COOKIE_SECRET, CURSOR_SECRET, ENCRYPTION_KEY and JWT_PRIVATE_KEY
`;

const shortNames: Record<string, SecretKind> = {
  cookie: 'cookie_secrets',
  cursor: 'cursor_secrets',
  encryption: 'encryption_keys',
  jwt: 'jwt_private_keys',
};

async function main(args: string[]): Promise<void> {
  const [command, ...rest] = args;
  const names = rest.filter((each) => each !== '--now');
  const kinds = names.length > 0 ? [...new Set(names.map(kindOf))] : [...secretKinds];
  if (rest.includes('--now') && command !== 'rotate') throw new Error(usage);
  if (command === 'list') return await list(kinds);
  if (command === 'rotate') return await rotateKinds(kinds, rest.includes('--now'));
  if (command === 'revoke') {
    // loaded only here: the other commands need no database
    const { revoke } = await import('./key-revocation.ts');
    return await revoke(kinds, readKeySettings());
  }
  if (command === 'new') return printNew(kinds);
  throw new Error(usage);
}

async function list(kinds: SecretKind[]): Promise<void> {
  const { dataDir, given } = readKeySettings();
  const kept = await openSecretsFile(secretsPath(dataDir));
  for (const kind of kinds) {
    if (given.includes(kind))
      console.log(`${secretVariables[kind]} is set in the environment and is used instead of these.`);
    for (const line of describeSecrets(kind, kept?.[kind] ?? [])) console.log(line);
  }
}

async function rotateKinds(kinds: SecretKind[], immediately: boolean): Promise<void> {
  const { dataDir, given } = readKeySettings();
  const file = secretsPath(dataDir);
  const ours = kinds.filter((kind) => !given.includes(kind));
  if (ours.length > 0) {
    const kept = (await openSecretsFile(file)) ?? (await makeSecretsFile(file));
    const rotations = ours.map((kind) => ({ kind, rotation: rotate(kind, kept[kind], new Date(), immediately) }));
    const rotated = Object.fromEntries(rotations.map(({ kind, rotation: { secrets } }) => [kind, secrets]));
    await writeSecretsFile(file, { ...kept, ...rotated });
    for (const { kind, rotation } of rotations) console.log(`${kind}: ${describeRotation(rotation, 'ten minutes')}`);
  }
  for (const kind of kinds.filter((each) => given.includes(each))) {
    const addition = kind === 'jwt_private_keys' ? 'the block' : 'a comma and the value';
    console.log(`${secretVariables[kind]} is set in the environment. Append ${addition} below and restart every process. At least ten minutes
later, move it to the front and restart again. The old value can go ${keptDays(kind)} after that:
${environmentForm(kind)}`);
  }
}

function printNew(kinds: SecretKind[]): void {
  for (const kind of kinds) console.log(`${secretVariables[kind]}=${environmentForm(kind)}`);
}

function kindOf(name: string): SecretKind {
  const kind = shortNames[name];
  if (!kind) throw new Error(usage);
  return kind;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
