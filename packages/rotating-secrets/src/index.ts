export { describeRotation, describeSecrets } from './describe.ts';
export { newPrivateKey, parsePrivateKeys } from './private-keys.ts';
export { rotatingSecrets } from './rotating-secrets.ts';
export type { Rotation } from './rotation.ts';
export type { KeptSecret, SecretRules } from './secret.ts';
