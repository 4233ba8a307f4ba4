import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { createKey } from '../support/api-keys.ts';
import { graphql } from '../support/graphql.ts';
import { send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { subscribing } from '../support/subscribing.ts';
import { createTeam } from '../support/team.ts';

const server = await shared(startTestServer());
const pool: Pool = await server.orm.driver.getConnection().getNativeClient();

interface Key {
  accessToken: string;
}

/** Renames an event; the code of the refusal. */
const renames = {
  REST: async (key: Key, id: string) => (await send(server, key, `PATCH /events/${id}`, { name: 'Late' })).body.code,
  GraphQL: async (key: Key, id: string) => {
    const document = `mutation { updateEvent(input: {id: "${id}", name: "Late"}) { event { id } } }`;
    return (await graphql(server, key, document)).errors?.[0]?.extensions.code;
  },
};

it.each(['REST', 'GraphQL'] as const)(
  'a write that waits while its key ends gets INVALID_TOKEN by %s',
  async (face) => {
    const team = await createTeam(server);
    const { id } = await subscribing(server, team).event();
    const key = await createKey(server, team.owner);
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('select from event where id = $1 for update', [id]);
      const code = renames[face]({ accessToken: key.secret }, id);
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
      await client.query('update api_key set ended_at = now() where id = $1', [key.id]);
      await client.query('commit');
      expect(await code).toBe('INVALID_TOKEN');
      expect((await send(server, team.owner, `GET /events/${id}`)).body.name).toBe('Open Day');
    } finally {
      client.release();
    }
  },
);
