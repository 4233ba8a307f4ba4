import { createHash } from 'node:crypto';
import { readKeySettings } from './config.ts';
import { isWaiting, type Rotation, rotate } from './key-rotation.ts';
import { secretsPath } from './secrets.ts';
import {
  type KeptSecrets,
  makeSecretsFile,
  newSecret,
  readSecretsFile,
  type SecretKind,
  secretKinds,
  writeSecretsFile,
} from './secrets-file.ts';

const usage = `npm run keys -- COMMAND [cookie|cursor|jwt ...]

  list            what is kept under DATA_DIR, by fingerprint
  rotate          the next step of a rotation; start the service anew after each
                    1. adds a secret that verifies, and does not sign yet
                    2. ten minutes later or more: lets it sign; the old one still verifies
                  and removes what nothing in use was signed by any more. Nobody is signed out.
  rotate --now    both steps at once: for a single process, or a secret that leaked
  new             prints new values for COOKIE_SECRET, CURSOR_SECRET and JWT_PRIVATE_KEY
`;

const variables: Record<SecretKind, string> = {
  cookie_secrets: 'COOKIE_SECRET',
  cursor_secrets: 'CURSOR_SECRET',
  jwt_private_keys: 'JWT_PRIVATE_KEY',
};
const shortNames: Record<string, SecretKind> = {
  cookie: 'cookie_secrets',
  cursor: 'cursor_secrets',
  jwt: 'jwt_private_keys',
};

async function main(args: string[]): Promise<void> {
  const [command, ...rest] = args;
  const names = rest.filter((each) => each !== '--now');
  const kinds = names.length > 0 ? names.map(kindOf) : [...secretKinds];
  if (rest.includes('--now') && command !== 'rotate') throw new Error(usage);
  if (command === 'list') return await list(kinds);
  if (command === 'rotate') return await rotateKinds(kinds, rest.includes('--now'));
  if (command === 'new') return printNew(kinds);
  throw new Error(usage);
}

async function list(kinds: SecretKind[]): Promise<void> {
  const { dataDir, given } = readKeySettings();
  const kept = await readSecretsFile(secretsPath(dataDir));
  for (const kind of kinds) {
    if (given.includes(kind)) console.log(`${variables[kind]} is set in the environment, and used instead of these.`);
    for (const [index, secret] of (kept?.[kind] ?? []).entries()) {
      const role = index === 0 ? 'signs' : isWaiting(secret, index) ? 'waits' : 'verifies';
      const added = secret.added_at ?? 'at the first start';
      console.log(`${kind}  ${fingerprint(secret.value)}  ${role.padEnd(8)}  added ${added}`);
    }
  }
}

async function rotateKinds(kinds: SecretKind[], hurry: boolean): Promise<void> {
  const { dataDir, given } = readKeySettings();
  const file = secretsPath(dataDir);
  const ours = kinds.filter((kind) => !given.includes(kind));
  if (ours.length > 0) {
    const kept: KeptSecrets = (await readSecretsFile(file)) ?? (await makeSecretsFile(file));
    const rotations = ours.map((kind): [SecretKind, Rotation] => [kind, rotate(kind, kept[kind], new Date(), hurry)]);
    const rotated = Object.fromEntries(rotations.map(([kind, { secrets }]) => [kind, secrets]));
    await writeSecretsFile(file, { ...kept, ...rotated });
    for (const [kind, rotation] of rotations) console.log(`${kind}: ${describe(rotation)}`);
  }
  for (const kind of kinds.filter((each) => given.includes(each))) {
    console.log(`${variables[kind]} is set in the environment. Put this behind what is there, and start every process anew;
ten minutes later put it first, and start anew; later leave the old one out:
${environmentForm(kind)}`);
  }
}

function describe({ steps, usableAt }: Rotation): string {
  const sentences = {
    retired: 'removed what ran out.',
    added: 'added one that verifies.',
    used: 'the new one signs from the next start on.',
    waits: `the new one may sign at ${usableAt?.toISOString()}; run this again then.`,
  };
  const restart =
    steps.includes('added') && !steps.includes('used') ? ' Start the service anew, then run this again.' : '';
  return steps.map((step) => sentences[step]).join(' ') + restart;
}

function printNew(kinds: SecretKind[]): void {
  for (const kind of kinds) console.log(`${variables[kind]}=${environmentForm(kind)}`);
}

/** A new secret as an environment variable holds it: in one line. */
function environmentForm(kind: SecretKind): string {
  const { value } = newSecret(kind, new Date());
  return kind === 'jwt_private_keys' ? `"${value.trim().replaceAll('\n', '\\n')}"` : value;
}

/** Tells secrets apart, and tells nothing of them. */
function fingerprint(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 12);
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
