import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AllowedTargets } from '#endpoint-client';
import { readBounds } from '../../src/config/bounds.ts';
import { readCommandSettings, readSettings, workingDirectory } from '../../src/config/settings.ts';

const strong = 'q7Zt0vLx2Rk9WmB4sYc8JdN1hPfG6uAe';
const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://events.example.org',
  COOKIE_SECRET: strong,
  CURSOR_SECRET: strong,
  ENCRYPTION_KEY: strong,
  JWT_PRIVATE_KEY: pem,
};

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
  test('gives the defaults if nothing is set', () => {
    expect(readSettings({})).toEqual({
      http: { port: 3000, host: '127.0.0.1', publicUrl: null, trustProxy: false, corsOrigins: [], graphiql: true },
      graphql: { trustedDocuments: null, trustedOnly: false },
      database: { url: null, directUrl: null, pooler: null, replicaUrls: [], dataDir: `${process.cwd()}/.data` },
      auth: { secrets: {}, refreshGraceSeconds: 10, sessionMaxDays: 90 },
      mail: { smtp: null, from: null, dir: `${process.cwd()}/.data/mail` },
      webhookAllow: new AllowedTargets(),
      rateLimit: true,
      bounds: readBounds((_, __, otherwise) => otherwise),
      exposed: false,
      logLevel: 'info',
      production: false,
      metrics: null,
      tracing: null,
      drainTime: 0,
    });
  });

  test('names every entry of WEBHOOK_ALLOW that is faulty, together with the other faults', () => {
    const env = { WEBHOOK_ALLOW: '10.0.0.0/8,localhost,127.0.0.1:3000,10.0.0.0/40', PORT: 'x' };
    expect(faultsOf(env).sort()).toEqual(['PORT', 'WEBHOOK_ALLOW']);
    expect(() => readSettings(env)).toThrow('WEBHOOK_ALLOW: entries 2, 4 must be a network such as 10.0.0.0/8');
  });

  test('traces one request in ten unless told otherwise, and refuses a sampler that there is not', () => {
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    expect(readSettings(collector).tracing).toMatchObject({ sampler: 'parentbased_traceidratio', ratio: 0.1 });
    const sampler = { OTEL_TRACES_SAMPLER: 'always_on', OTEL_TRACES_SAMPLER_ARG: '0.5' };
    expect(readSettings({ ...collector, ...sampler }).tracing).toMatchObject({ sampler: 'always_on', ratio: 0.5 });
    const wrong = { OTEL_TRACES_SAMPLER: 'jaeger_remote', OTEL_TRACES_SAMPLER_ARG: '1.1' };
    expect(faultsOf(wrong).sort()).toEqual(['OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG']);
  });

  test('serves trusted documents alone only if there are some', () => {
    expect(() => readSettings({ TRUSTED_DOCUMENTS_ONLY: 'on' })).toThrow('TRUSTED_DOCUMENTS_ONLY: needs');
  });

  test('takes several servers of a database if the primary is wanted', () => {
    const url = 'postgres://u:p@a:5432,b:5433/d';
    for (const attributes of ['read-write', 'primary']) {
      const wanted = `${url}?target_session_attrs=${attributes}`;
      expect(readSettings({ DATABASE_URL: wanted }).database.url).toBe(wanted);
    }
    for (const refused of ['', '?target_session_attrs=any', '?target_session_attrs=standby']) {
      expect(faultsOf({ DATABASE_URL: url + refused })).toEqual(['DATABASE_URL']);
    }
    expect(faultsOf({ DATABASE_URL: 'postgres://u:p@a:5432,b:x/d?target_session_attrs=primary' })).toEqual([
      'DATABASE_URL',
    ]);
  });

  test('reads every variable', () => {
    const settings = readSettings({
      ...production,
      ...{ PORT: '0', HOST: '::1', PUBLIC_URL: 'https://events.example.org/base/', TRUST_PROXY: 'loopback,10.0.0.0/8' },
      ...{ CORS_ORIGINS: 'https://a.example, http://b.example:8080', GRAPHIQL: 'on', RATE_LIMIT: 'off' },
      ...{ DATABASE_URL: 'postgres://u:p@h/d', DATABASE_REPLICA_URLS: 'postgres://r1/d,postgres://r2/d' },
      ...{ COOKIE_SECRET: `${strong},${strong}2`, REFRESH_GRACE_SECONDS: '0', SESSION_MAX_DAYS: '7' },
      ...{ TRUSTED_DOCUMENTS: '/etc/events/manifest.json', TRUSTED_DOCUMENTS_ONLY: 'on' },
      ...{ SMTP_URL: 'smtps://u:p%40@mail.example:465', MAIL_FROM: 'Harbour <a@harbour.example>' },
      ...{ LOG_LEVEL: 'warn', DATA_DIR: '/var/lib/events' },
    });
    expect(settings).toMatchObject({
      graphql: { trustedDocuments: '/etc/events/manifest.json', trustedOnly: true },
      http: {
        ...{ port: 0, host: '::1', publicUrl: 'https://events.example.org/base' },
        trustProxy: ['loopback', '10.0.0.0/8'],
        ...{ corsOrigins: ['https://a.example', 'http://b.example:8080'], graphiql: true },
      },
      database: {
        url: 'postgres://u:p@h/d',
        replicaUrls: ['postgres://r1/d', 'postgres://r2/d'],
        dataDir: '/var/lib/events',
      },
      auth: { secrets: { cookieSecrets: [strong, `${strong}2`] }, refreshGraceSeconds: 0, sessionMaxDays: 7 },
      mail: {
        smtp: { host: 'mail.example', port: 465, tls: 'implicit', credentials: { user: 'u', password: 'p@' } },
        from: { name: 'Harbour', address: 'a@harbour.example' },
        dir: '/var/lib/events/mail',
      },
      ...{ rateLimit: false, logLevel: 'warn', production: true },
    });
    expect(settings.auth.secrets.privateKeys).toHaveLength(1);
  });

  test('reports all faults at once and repeats no value', () => {
    const env = {
      ...{ PORT: '80a', HOST: 'x', PUBLIC_URL: 'ftp://hidden', GRAPHIQL: 'yes', RATE_LIMIT: '1', LOG_LEVEL: 'hidden' },
      ...{ DATABASE_URL: 'mysql://hidden', CORS_ORIGINS: '*', REFRESH_GRACE_SECONDS: '61', SESSION_MAX_DAYS: '0' },
      ...{ SMTP_URL: 'hidden', MAIL_FROM: 'hidden', TRUST_PROXY: 'hidden', JWT_PRIVATE_KEY: 'hidden' },
      ...{ NODE_ENV: 'prod', COOKIE_SECRET: 'hidden,,' },
    };
    const { HOST, ...faulty } = env;
    expect(faultsOf(env).sort()).toEqual(Object.keys(faulty).sort());
    expect(() => readSettings(env)).toThrow(/^(?!.*hidden)/s);
  });

  test.each<[string, string[]]>([
    ['PORT', ['1e3', '0x50', '-1', '65536', '3.5', '+80', '08', ' 80']],
    ['SMTP_URL', ['http://mail.example', 'smtp://', 'smtps://mail.example?tls=off', 'smtp://us%er:p@mail.example']],
    [
      'SMTP_URL',
      ['tls=on', 'tls=off&tls=on', 'tls.rejectUnauthorized=false', 'ignoreTLS=true'].map(
        (each) => `smtp://m.example?${each}`,
      ),
    ],
    ['MAIL_FROM', ['Harbour', 'a@b@c', 'a@b.example, c@d.example', 'A <a@b.example', 'A\nBcc: x <a@b.example>', '<>']],
    // which no cookie can have as its path
    ['PUBLIC_URL', ['https://events.example/a;b']],
    // without a primary
    ['DATABASE_REPLICA_URLS', ['postgres://r/d']],
    ['DATABASE_DIRECT_URL', ['postgres://r/d']],
  ])('refuses as %s each of %j', (name, values) => {
    expect(values.map((value) => faultsOf({ [name]: value }))).toEqual(values.map(() => [name]));
  });

  test.each([
    ['required', ['smtp://mail.example', 'smtp://mail.example:25', 'smtp://localhost.example']],
    ['offered', ['smtp://127.0.0.1:1025', 'smtp://LOCALHOST', 'smtp://[::1]:25']],
    ['implicit', ['smtps://mail.example']],
    ['off', ['smtp://mail.example?tls=off', 'smtp://127.0.0.1?tls=off']],
  ])('sends mails with TLS %s by each of %j', (tls, urls) => {
    expect(urls.map((url) => readSettings({ SMTP_URL: url }).mail.smtp?.tls)).toEqual(urls.map(() => tls));
  });

  test.each([
    ['events@harbour.example', '', 'events@harbour.example'],
    [' <events@harbour.example> ', '', 'events@harbour.example'],
    ['"Harbour, Events" <events@harbour.example>', 'Harbour, Events', 'events@harbour.example'],
    ['Häfen <events@häfen.example>', 'Häfen', 'events@häfen.example'],
  ])('sends mails from %s', (value, name, address) => {
    expect(readSettings({ MAIL_FROM: value }).mail.from).toEqual({ name, address });
  });

  test('reads the URL past a pooler', () => {
    const pooled = { DATABASE_URL: 'postgres://pooler/d', DATABASE_POOLER: 'transaction' };
    const env = { ...pooled, DATABASE_DIRECT_URL: 'postgres://h/d' };
    const read = { url: 'postgres://pooler/d', pooler: 'transaction', directUrl: 'postgres://h/d' };
    expect(readSettings(env).database).toMatchObject(read);
    expect(faultsOf(pooled)).toEqual(['DATABASE_POOLER']);
    expect(faultsOf({ DATABASE_POOLER: 'transaction' })).toEqual(['DATABASE_POOLER']);
    expect(faultsOf({ ...env, DATABASE_POOLER: 'session' })).toEqual(['DATABASE_POOLER']);
    expect(faultsOf({ ...env, DATABASE_DIRECT_URL: 'h/d' })).toEqual(['DATABASE_DIRECT_URL']);
  });

  test('refuses absent secrets and an absent public URL in production, beside every other fault', () => {
    const absent = ['PUBLIC_URL', 'COOKIE_SECRET', 'CURSOR_SECRET', 'ENCRYPTION_KEY', 'JWT_PRIVATE_KEY'];
    expect(faultsOf({ NODE_ENV: 'production' })).toEqual(absent);
    expect(faultsOf({ NODE_ENV: 'production', PUBLIC_URL: ' ', PORT: 'x' })).toEqual(['PORT', ...absent]);
    const insecure = { NODE_ENV: 'production', PUBLIC_URL: 'http://events.example.org', COOKIE_SECRET: 'short' };
    expect(faultsOf(insecure)).toEqual(absent);
  });

  test('in production the public URL may be https or loopback', () => {
    const loopback = ['localhost:3000', '127.8.0.1/base', '[::1]:3000', '[::ffff:127.0.0.1]'];
    const foreign = ['events.example.org', 'localhost.example.org', '127.0.0.1.example.org:3000', '10.0.0.1'];
    const taken = ['https://events.example.org', ...loopback.map((host) => `http://${host}`)];
    const refused = [...foreign, '0.0.0.0:3000', '[::]', '[::ffff:10.0.0.1]'].map((host) => `http://${host}`);
    const urls = [...taken, ...refused];
    expect(urls.filter((url) => faultsOf({ ...production, PUBLIC_URL: url }).join() === 'PUBLIC_URL')).toEqual(refused);
    expect(urls.flatMap((url) => faultsOf({ PUBLIC_URL: url }))).toEqual([]);
    expect(taken.flatMap((url) => faultsOf({ ...production, PUBLIC_URL: url }))).toEqual([]);
  });

  test.each([
    ['short', 'q7Zt0vLx2Rk9WmB4'],
    ['one character', 'a'.repeat(64)],
    ['a repeated phrase', 'kxvqzj1397'.repeat(5)],
    ['counting', '0123456789abcdef0123456789abcdef'],
    ['a placeholder', 'change-me-please-0a9s8d7f6g5h4j3k2l'],
    ['a weak second entry', `${strong},short`],
  ])('refuses %s as a secret in production', (_, secret) => {
    const weak = { COOKIE_SECRET: secret, CURSOR_SECRET: secret, ENCRYPTION_KEY: secret };
    expect(faultsOf({ ...production, ...weak })).toEqual(['COOKIE_SECRET', 'CURSOR_SECRET', 'ENCRYPTION_KEY']);
    expect(() => readSettings({ ...production, COOKIE_SECRET: secret })).not.toThrow(secret);
  });

  test.each([
    ['hex', '9f86d081884c7d659a2feaa0c55ad015'],
    ['base64', 'mF4vQm0TtJ1nqkq3c8bXy2rVnK5w0pZl7uYhS9dEo6A='],
  ])('starts in production, without GraphiQL, with 32 random characters in %s as a secret', (_, secret) => {
    expect(readSettings({ ...production, COOKIE_SECRET: secret }).http.graphiql).toBe(false);
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
