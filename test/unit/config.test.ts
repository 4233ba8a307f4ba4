import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readCommandSettings, readSettings, workingDirectory } from '../../src/config.ts';

const strong = 'q7Zt0vLx2Rk9WmB4sYc8JdN1hPfG6uAe';
const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const production = { NODE_ENV: 'production', COOKIE_SECRET: strong, CURSOR_SECRET: strong, JWT_PRIVATE_KEY: pem };

function faultsOf(env: Record<string, string>): string[] {
  try {
    readSettings(env);
  } catch (error) {
    return String((error as Error).message)
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(':')[0] ?? '');
  }
  return [];
}

describe('readSettings', () => {
  test('gives the defaults where nothing is set', () => {
    expect(readSettings({})).toEqual({
      http: { port: 3000, host: '127.0.0.1', publicUrl: null, trustProxy: false, corsOrigins: [], graphiql: true },
      graphql: { trustedDocuments: null, trustedOnly: false },
      database: { url: null, replicaUrls: [], dataDir: `${process.cwd()}/.data` },
      auth: { secrets: {}, refreshGraceSeconds: 10, sessionMaxDays: 90 },
      mail: { smtpUrl: null, dir: `${process.cwd()}/.data/mail` },
      rateLimit: true,
      logLevel: 'info',
      production: false,
      test: false,
    });
  });

  test('serves trusted documents alone only where there are some', () => {
    expect(() => readSettings({ TRUSTED_DOCUMENTS_ONLY: 'on' })).toThrow('TRUSTED_DOCUMENTS_ONLY: needs');
  });

  test('takes an empty variable for an absent one', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '', COOKIE_SECRET: ' ', NODE_ENV: '' })).toEqual(readSettings({}));
  });

  test('reads every variable', () => {
    const settings = readSettings({
      ...production,
      ...{ PORT: '0', HOST: '::1', PUBLIC_URL: 'https://events.example.org/base/', TRUST_PROXY: 'loopback,10.0.0.0/8' },
      ...{ CORS_ORIGINS: 'https://a.example, http://b.example:8080', GRAPHIQL: 'on', RATE_LIMIT: 'off' },
      ...{ DATABASE_URL: 'postgres://u:p@h/d', DATABASE_REPLICA_URLS: 'postgres://r1/d,postgres://r2/d' },
      ...{ COOKIE_SECRET: `${strong},${strong}2`, REFRESH_GRACE_SECONDS: '0', SESSION_MAX_DAYS: '7' },
      ...{ TRUSTED_DOCUMENTS: '/etc/events/manifest.json', TRUSTED_DOCUMENTS_ONLY: 'on' },
      ...{ SMTP_URL: 'smtps://u:p@mail.example:465', LOG_LEVEL: 'warn', DATA_DIR: '/var/lib/events' },
    });
    expect(settings).toMatchObject({
      graphql: { trustedDocuments: '/etc/events/manifest.json', trustedOnly: true },
      http: {
        ...{
          port: 0,
          host: '::1',
          publicUrl: 'https://events.example.org/base',
          trustProxy: ['loopback', '10.0.0.0/8'],
        },
        ...{ corsOrigins: ['https://a.example', 'http://b.example:8080'], graphiql: true },
      },
      database: {
        url: 'postgres://u:p@h/d',
        replicaUrls: ['postgres://r1/d', 'postgres://r2/d'],
        dataDir: '/var/lib/events',
      },
      auth: { secrets: { cookieSecrets: [strong, `${strong}2`] }, refreshGraceSeconds: 0, sessionMaxDays: 7 },
      mail: { smtpUrl: 'smtps://u:p@mail.example:465', dir: '/var/lib/events/mail' },
      ...{ rateLimit: false, logLevel: 'warn', production: true },
    });
    expect(settings.auth.secrets.privateKeys).toHaveLength(1);
  });

  test('reports all faults at once and repeats no value', () => {
    const env = {
      ...{ PORT: '80a', HOST: 'x', PUBLIC_URL: 'ftp://hidden', GRAPHIQL: 'yes', RATE_LIMIT: '1', LOG_LEVEL: 'hidden' },
      ...{ DATABASE_URL: 'mysql://hidden', CORS_ORIGINS: '*', REFRESH_GRACE_SECONDS: '61', SESSION_MAX_DAYS: '0' },
      ...{
        SMTP_URL: 'hidden',
        TRUST_PROXY: 'hidden',
        JWT_PRIVATE_KEY: 'hidden',
        NODE_ENV: 'prod',
        COOKIE_SECRET: 'hidden,,',
      },
    };
    const { HOST, ...faulty } = env;
    expect(faultsOf(env).sort()).toEqual(Object.keys(faulty).sort());
    expect(() => readSettings(env)).toThrow(/^(?!.*hidden)/s);
  });

  test.each(['1e3', '0x50', '-1', '65536', '3.5', '+80', '08', ' 80'])('refuses the port %j', (port) => {
    expect(faultsOf({ PORT: port })).toEqual(['PORT']);
  });

  test('refuses replicas without a primary', () => {
    expect(faultsOf({ DATABASE_REPLICA_URLS: 'postgres://r/d' })).toEqual(['DATABASE_REPLICA_URLS']);
  });

  test('starts in production with strong secrets, and without GraphiQL', () => {
    expect(readSettings(production).http.graphiql).toBe(false);
  });

  test('refuses absent secrets in production', () => {
    expect(faultsOf({ NODE_ENV: 'production' })).toEqual(['COOKIE_SECRET', 'CURSOR_SECRET', 'JWT_PRIVATE_KEY']);
  });

  test.each([
    ['short', 'q7Zt0vLx2Rk9WmB4'],
    ['one character', 'a'.repeat(64)],
    ['a repeated phrase', 'kxvqzj1397'.repeat(5)],
    ['counting', '0123456789abcdef0123456789abcdef'],
    ['a placeholder', 'change-me-please-0a9s8d7f6g5h4j3k2l'],
    ['a weak second entry', `${strong},short`],
  ])('refuses %s as a secret in production', (_, secret) => {
    expect(faultsOf({ ...production, COOKIE_SECRET: secret, CURSOR_SECRET: secret })).toEqual([
      'COOKIE_SECRET',
      'CURSOR_SECRET',
    ]);
    expect(() => readSettings({ ...production, COOKIE_SECRET: secret })).not.toThrow(secret);
  });

  test.each([
    ['hex', '9f86d081884c7d659a2feaa0c55ad015'],
    ['base64', 'mF4vQm0TtJ1nqkq3c8bXy2rVnK5w0pZl7uYhS9dEo6A='],
  ])('takes 32 random characters in %s as a secret in production', (_, secret) => {
    expect(faultsOf({ ...production, COOKIE_SECRET: secret })).toEqual([]);
  });
});

describe('readCommandSettings', () => {
  test('needs no secrets and ignores faults of the server', () => {
    const { database } = readCommandSettings({ NODE_ENV: 'production', PORT: 'x', DATABASE_URL: 'postgres://h/d' });
    expect(database.url).toBe('postgres://h/d');
  });

  test('refuses what it reads itself', () => {
    expect(() => readCommandSettings({ DATABASE_URL: 'h/d' })).toThrow(/DATABASE_URL/);
  });
});

test('workingDirectory is the folder in which npm was called', () => {
  expect(workingDirectory({ INIT_CWD: '/home/someone' })).toBe('/home/someone');
  expect(workingDirectory({})).toBe(process.cwd());
});
