import { expect } from 'vitest';
import type { Caller } from './graphql.ts';
import { send } from './send.ts';

/** A key as its creation shows it. */
export interface MadeKey extends Required<Caller> {
  id: string;
  name: string;
  secret: string;
  prefix: string;
  created_at: string;
}

interface KeyInput {
  name?: string;
  role?: 'member' | 'manager';
  access?: 'read' | 'write';
  webhooks?: boolean;
  expires_at?: string | null;
}

/** Creates a key, which can then be the caller of requests. */
export async function createKey(
  server: { url: string },
  owner: Required<Pick<Caller, 'organizationId'>> & Caller,
  input: KeyInput = {},
): Promise<MadeKey> {
  const body = { name: 'A machine', role: 'manager', access: 'write', ...input };
  const answer = await send<MadeKey>(server, owner, 'POST /api-keys', body);
  expect(answer.status, answer.text).toBe(201);
  return { ...answer.body, accessToken: answer.body.secret, organizationId: owner.organizationId };
}
