import { describe, expect, it } from 'vitest';
import { globalId, query } from '../support/graphql.ts';
import { settleMails } from '../support/mail.ts';
import { send } from '../support/send.ts';
import { countReads } from '../support/statements.ts';
import { join, serveTeam } from '../support/team.ts';

const { server, team } = await serveTeam();
const { owner, manager, member } = team;

const dates = { date_start: '2027-05-01T10:00:00Z', date_end: '2027-05-01T12:00:00Z' };

interface Entry {
  action: string;
  subject_id: string | null;
}

/** An event that was created, given a form, renamed and exported. */
async function workOnEvent(): Promise<string> {
  const { body } = await send<{ id: string }>(server, manager, 'POST /events', {
    name: 'Open Day',
    status: 1,
    ...dates,
  });
  await send(server, manager, `PUT /events/${body.id}/form`, { questions: [{ key: 'a', type: 'text', label: 'A' }] });
  await send(server, manager, `PATCH /events/${body.id}`, { name: 'Open Night' });
  const path = `${server.url}/events/${body.id}/subscriptions/export?format=csv`;
  const headers = { authorization: `Bearer ${manager.accessToken}`, 'x-organization-id': manager.organizationId };
  await (await fetch(path, { headers })).text();
  return body.id;
}

describe('an entry of the audit trail', () => {
  it('names the event that it is about, and is found by it on both faces, by either kind of id', async () => {
    const [id, other] = [await workOnEvent(), await workOnEvent()];
    const actions = ['event.created', 'event.changed', 'event.changed', 'subscriptions.exported'];
    const { body } = await send<{ items: Entry[] }>(server, owner, 'POST /audit/query', { where: { subject_id: id } });
    expect(body.items.map(({ action }) => action)).toEqual(actions);
    expect(new Set(body.items.map((entry) => entry.subject_id))).toEqual(new Set([id]));
    const document = `query ($id: [ID!]) { organization { auditEntries(where: {subjectId: {in: $id}}) {
      totalCount nodes { action subjectDatabaseId } } } }`;
    const find = async (ids: string[]) =>
      (await query<{ organization: never }>(server, owner, document, { id: ids })).organization;
    for (const each of [id, globalId('Event', id)]) {
      expect(await find([each])).toEqual({
        auditEntries: {
          totalCount: 4,
          nodes: actions.map((action) => ({ action: action.toUpperCase().replace('.', '_'), subjectDatabaseId: id })),
        },
      });
    }
    expect(await find([globalId('Event', id), globalId('User', other)])).toMatchObject({
      auditEntries: { totalCount: 8 },
    });
    // a deleted event is still named
    const draft = await send(server, manager, 'POST /events', { name: 'Draft', ...dates });
    await send(server, manager, `DELETE /events/${draft.body.id}`);
    const ended = await send<{ items: Entry[] }>(server, owner, 'POST /audit/query', {
      where: { subject_id: draft.body.id },
    });
    expect(ended.body.items.map(({ action }) => action)).toEqual(['event.created', 'event.deleted']);
  });

  it('names the user who acted, all of a page in one statement, also after they left, and nobody where nobody was', async () => {
    const leaver = await join(server, team.organizationId, 'manager');
    await send(server, leaver, 'POST /events', { name: 'Last deed', ...dates });
    await send(server, owner, `DELETE /members/${leaver.membershipId}`);
    const document = `{ organization { auditEntries(last: 50) { nodes { action actorDatabaseId actor { databaseId name email } } } } }`;
    const { result, statements } = await countReads(server.orm, () =>
      query<{
        organization: {
          auditEntries: {
            nodes: { action: string; actorDatabaseId: string | null; actor: Record<string, unknown> | null }[];
          };
        };
      }>(server, owner, document),
    );
    // the organization, the entries, their actors
    expect(statements).toHaveLength(3);
    const { nodes } = result.organization.auditEntries;
    for (const { actorDatabaseId, actor } of nodes) expect(actor?.databaseId ?? null).toBe(actorDatabaseId);
    const actorOf = (id: string) => nodes.find(({ actorDatabaseId }) => actorDatabaseId === id)?.actor;
    expect(actorOf(manager.userId)).toMatchObject({ name: 'A manager', email: manager.email });
    expect(actorOf(leaver.userId)).toMatchObject({ name: 'A manager', email: null });
  });
});

describe('the history of a subscription', () => {
  it('names the users who acted, also to the holder, who sees no address but their own', async () => {
    const event = await send<{ id: string }>(server, manager, 'POST /events', {
      name: 'Full',
      status: 1,
      capacity: 0,
      ...dates,
    });
    const rows = [];
    for (const person of [member, await join(server, team.organizationId, 'member')]) {
      rows.push((await send<{ id: string }>(server, person, `POST /events/${event.body.id}/subscriptions`, {})).body);
    }
    const [row] = rows as [{ id: string }];
    await send(server, manager, `PATCH /events/${event.body.id}`, { capacity: 1 });
    await send(server, manager, `POST /events/${event.body.id}/subscriptions/${row.id}/check-in`);
    const document = `query ($id: ID!) { event(id: $id) { subscriptions { nodes { databaseId changes { nodes {
      kind actorDatabaseId actor { databaseId name email } } } } } } }`;
    const actor = (person: { userId: string; email: string }, name: string, seen: boolean) => ({
      actorDatabaseId: person.userId,
      actor: { databaseId: person.userId, name, email: seen ? person.email : null },
    });
    await settleMails(server);
    for (const viewer of [manager, member]) {
      const { result, statements } = await countReads(server.orm, () =>
        query<{ event: { subscriptions: { nodes: { databaseId: string; changes: { nodes: object[] } }[] } } }>(
          server,
          viewer,
          document,
          { id: event.body.id },
        ),
      );
      // the event with its subscriptions, the histories of all, the actors of all
      expect(statements).toHaveLength(3);
      const { nodes } = result.event.subscriptions;
      expect(nodes).toHaveLength(viewer === manager ? 2 : 1);
      expect(nodes.find(({ databaseId }) => databaseId === row.id)?.changes.nodes).toEqual([
        { kind: 'STATUS', ...actor(member, 'A member', true) },
        { kind: 'STATUS', actorDatabaseId: null, actor: null },
        { kind: 'CHECK_IN', ...actor(manager, 'A manager', viewer === manager) },
      ]);
    }
  });
});
