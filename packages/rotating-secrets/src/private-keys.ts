import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';

/** A new Ed25519 key, as PKCS#8 PEM. */
export function newPrivateKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * Reads PKCS#8 PEM blocks (RFC 7468), in which `\n` may be escaped, or a JWK or JWK set (RFC 7517, RFC 8037).
 *
 * @throws Error that says which key is invalid and why, without repeating any of it
 */
export function parsePrivateKeys(text: string): KeyObject[] {
  const trimmed = text.trim();
  return trimmed.startsWith('{') ? parseJwks(trimmed) : parsePem(trimmed.replaceAll('\\r', '').replaceAll('\\n', '\n'));
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g;

function parsePem(text: string): KeyObject[] {
  const blocks = [...text.matchAll(pemBlock)];
  if (blocks.length === 0 || text.replace(pemBlock, '').trim() !== '') {
    throw new Error('must be one or several PKCS#8 PEM blocks, a JWK or a JWK set');
  }
  return blocks.map(([block, label], index) => {
    const name = keyName(index, blocks.length);
    if (label !== 'PRIVATE KEY') throw new Error(`${name} is a PEM block "${label}", not a PKCS#8 "PRIVATE KEY"`);
    return ed25519(name, () => createPrivateKey({ key: block, format: 'pem' }));
  });
}

function parseJwks(text: string): KeyObject[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error('starts like a JWK but is not valid JSON');
  }
  const keys = isRecord(document) && 'keys' in document ? document.keys : [document];
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('is a JWK set without keys');
  return keys.map((jwk: unknown, index) => {
    const name = keyName(index, keys.length);
    if (!isRecord(jwk) || jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519') {
      throw new Error(`${name} is not an Ed25519 key: a JWK with kty OKP and crv Ed25519 is required`);
    }
    if (typeof jwk.d !== 'string') throw new Error(`${name} is a public key; the private key (member d) is required`);
    return ed25519(name, () => createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' }));
  });
}

function ed25519(name: string, read: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw new Error(`${name} cannot be read as a private key`);
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new Error(`${name} is of type ${key.asymmetricKeyType}; an Ed25519 key is required`);
  }
  return key;
}

function keyName(index: number, count: number): string {
  return count === 1 ? 'the key' : `key ${index + 1}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
