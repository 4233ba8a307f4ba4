import { randomUUIDv7 } from 'node:crypto';
import { expect, vi } from 'vitest';
import { tokenOf } from './guests.ts';
import { type Caller, send } from './send.ts';
import { post, signIn, startTestServer } from './server.ts';
import { type Received, startSmtp, type TestSmtp } from './smtp.ts';

export type Place = Awaited<ReturnType<typeof openPlace>>;

/** A service whose mails go to a mail server, in which nobody has an account yet. */
export async function openPlace() {
  const smtp = await startSmtp();
  const server = await startTestServer({ env: { SMTP_URL: `${smtp.url}?tls=off`, RATE_LIMIT: 'on' } });
  return {
    server,
    smtp,
    close: async () => {
      await server.close();
      await smtp.close();
    },
  };
}

/** Somebody who came in by the front door. */
export interface Newcomer extends Required<Caller> {
  userId: string;
  email: string;
}

const password = 'one-that-nobody-else-has-7';

/**
 * Signs up, follows the link of the mail, and signs in.
 *
 * @param to the name of an organization to found, or the id of one to join
 */
export async function signUp(
  { server, smtp }: Place,
  name: string,
  to: { found: string } | { join: string },
): Promise<Newcomer> {
  const email = `${name.toLowerCase()}-${randomUUIDv7()}@example.org`;
  const founds = 'found' in to ? { organization_name: to.found } : {};
  const headers: Record<string, string> = 'join' in to ? { 'x-organization-id': to.join } : {};
  const signedUp = await post(`${server.url}/auth/signup`, { email, password, name, ...founds }, headers);
  expect(signedUp).toMatchObject({ status: 200, body: true });
  expect((await post(`${server.url}/auth/login`, { email, password })).status).toBe(401);
  const { mail } = await mailTo(smtp, email, 'Confirm your e-mail address');
  const verified = await post(`${server.url}/auth/verify-email`, { token: tokenOf({ text: mail.text ?? '' }) });
  expect(verified).toMatchObject({ status: 200, body: true });
  const { accessToken } = await signIn(server.url, email, password);
  const me = await send<{ id: string; organizations: { id: string }[] }>(server, { accessToken }, 'GET /auth/me');
  const { id, organizations } = me.body;
  return { userId: id, email, accessToken, organizationId: organizations[0]?.id ?? '' };
}

/** The mail to an address whose subject holds a text, once the mail server has it. */
export async function mailTo(smtp: TestSmtp, email: string, subject: string): Promise<Received> {
  return await vi.waitFor(
    () => {
      const found = smtp.received.find(({ to, mail }) => to.includes(email) && mail.subject?.includes(subject));
      expect(found, `${subject} in ${smtp.received.map(({ mail }) => mail.subject)}`).toBeDefined();
      return found as Received;
    },
    { timeout: 30_000, interval: 20 },
  );
}
