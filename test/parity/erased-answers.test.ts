import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { badge, future, look, refusalOf } from '../support/erasing.ts';
import { insertMembership } from '../support/fixtures.ts';
import { type Caller, graphql } from '../support/graphql.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { createTeam, join, type Person } from '../support/team.ts';

// What becomes of the answers of a member who is removed (reference/leaving.md).

const server = await serve({ env: { RATE_LIMIT: 'off' } });

describe('removing a member with erase_answers', () => {
  const removals: { name: string; remove(caller: Caller, id: string, erase: boolean): Promise<string | null> }[] = [
    {
      name: 'in the body',
      remove: async (caller, id, erases) =>
        (await refusalOf(await send(server, caller, `DELETE /members/${id}`, { erase_answers: erases }))).code,
    },
    {
      name: 'in the query string',
      remove: async (caller, id, erases) =>
        (await refusalOf(await send(server, caller, `DELETE /members/${id}?erase_answers=${erases}`))).code,
    },
    {
      name: 'by GraphQL',
      remove: async (caller, id, eraseAnswers) => {
        const document =
          'mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { removedMembershipId } }';
        const { errors } = await graphql(server, caller, document, { input: { id, eraseAnswers } });
        return errors?.[0]?.extensions.code ?? null;
      },
    },
  ];

  it.each(removals)('$name: erases the answers of that organization alone, past ones too', async ({ remove }) => {
    for (const by of ['manager', 'member'] as const) {
      for (const erases of [true, false]) {
        const team = await createTeam(server);
        const leaver = await join(server, team.organizationId, 'member');
        const other = await createTeam(server);
        await insertMembership(server.orm, { organizationId: other.organizationId, userId: leaver.userId });
        const secret = randomUUIDv7();
        const rows: [Person, string, string][] = [];
        for (const { manager } of [team, team, other]) {
          const event = await send<{ id: string }>(server, manager, 'POST /events', {
            name: 'A',
            status: 1,
            ...future,
          });
          await send(server, manager, `PUT /events/${event.body.id}/form`, { questions: [badge] });
          const caller = { ...leaver, organizationId: manager.organizationId };
          const { body } = await send<{ id: string }>(server, caller, `POST /events/${event.body.id}/subscriptions`, {
            answers: { badge: secret },
          });
          rows.push([manager, event.body.id, body.id]);
        }
        const [, past] = rows as [[Person, string, string], [Person, string, string]];
        await server.execute(
          `update event set date_start = now() - interval '2 days', date_end = now() - interval '1 day' where id = ?`,
          [past[1]],
        );
        expect(await remove(by === 'member' ? leaver : team.manager, leaver.membershipId, erases)).toBeNull();
        const answers = await Promise.all(rows.map(([manager, event, id]) => look(server, manager, event, id)));
        const kept = { badge: secret };
        expect(answers.map(({ body }) => body.answers)).toEqual(erases ? [null, null, kept] : [kept, kept, kept]);
        expect(answers.map(({ body }) => body.status)).toEqual(['cancelled', 'accepted', 'accepted']);
        // whoever leaves keeps their name
        expect(answers[1]?.body.user).toMatchObject({ name: 'A member', email: leaver.email });
      }
    }
  });

  it('refuses anything else', async () => {
    const team = await createTeam(server);
    const path = `DELETE /members/${team.member.membershipId}`;
    for (const value of ['yes', '', '1']) {
      const answer = await send(server, team.manager, `${path}?erase_answers=${value}`);
      expectCode(answer, 400, 'INVALID_QUERY');
      expect(pointersOf(answer)).toEqual(['/erase_answers']);
    }
    const wrong = await send(server, team.manager, path, { erase_answers: 'yes' });
    expectCode(wrong, 400, 'VALIDATION_ERROR');
    expect(pointersOf(wrong)).toEqual(['/erase_answers']);
    expectCode(await send(server, team.manager, path, { erase: true }), 400, 'VALIDATION_ERROR');
    expect((await send(server, team.manager, path)).body).toBe(true);
  });
});
