import { describe, expect, it } from 'vitest';
import { callerHeaders, globalId, query } from '../support/graphql.ts';
import { settleMails } from '../support/mail.ts';
import { send } from '../support/send.ts';
import { countReads } from '../support/statements.ts';
import { join, serveTeam } from '../support/team.ts';
import { trailOf } from '../support/trail.ts';
import { created, future, restFace } from '../support/write-faces.ts';

const { server, team } = await serveTeam();
const { owner, manager, member } = team;

const face = restFace(() => server.url);

/** An event that was created, given a form, renamed and exported. */
async function workOnEvent(): Promise<string> {
  const { id } = await created(face, manager);
  await send(server, manager, `PUT /events/${id}/form`, { questions: [{ key: 'a', type: 'text', label: 'A' }] });
  await send(server, manager, `PATCH /events/${id}`, { name: 'Open Night' });
  const path = `${server.url}/events/${id}/subscriptions/export?format=csv`;
  await (await fetch(path, { headers: callerHeaders(manager) })).text();
  return id;
}

describe('an entry of the audit trail', () => {
  it('names the event that it is about, and is found by it on both faces, by either kind of id', async () => {
    const [id, other] = [await workOnEvent(), await workOnEvent()];
    const actions = ['event.created', 'event.changed', 'event.changed', 'subscriptions.exported'];
    const entries = await trailOf(server, owner, { subject_id: id });
    expect(entries).toMatchObject(actions.map((action) => ({ action, subject_id: id })));
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
    const draft = await send(server, manager, 'POST /events', { name: 'Draft', ...future });
    await send(server, manager, `DELETE /events/${draft.body.id}`);
    const ended = await trailOf(server, owner, { subject_id: draft.body.id });
    expect(ended.map(({ action }) => action)).toEqual(['event.created', 'event.deleted']);
  });

  it('names the user who acted, all of a page in one statement, also after they left, and nobody where nobody was', async () => {
    const leaver = await join(server, team.organizationId, 'manager');
    await send(server, leaver, 'POST /events', { name: 'Last deed', ...future });
    await send(server, owner, `DELETE /members/${leaver.membershipId}`);
    const document = `{ organization { auditEntries(last: 50) { nodes { action actorDatabaseId actor { databaseId name email } } } } }`;
    type Acted = { actorDatabaseId: string | null; actor: Record<string, unknown> | null };
    type Data = { organization: { auditEntries: { nodes: Acted[] } } };
    const { result, statements } = await countReads(server.orm, () => query<Data>(server, owner, document));
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
    const event = await created(face, manager, { capacity: 0 });
    const rows = [];
    for (const person of [member, await join(server, team.organizationId, 'member')]) {
      rows.push((await send<{ id: string }>(server, person, `POST /events/${event.id}/subscriptions`, {})).body);
    }
    const [row] = rows as [{ id: string }];
    await send(server, manager, `PATCH /events/${event.id}`, { capacity: 1 });
    await send(server, manager, `POST /events/${event.id}/subscriptions/${row.id}/check-in`);
    const document = `query ($id: ID!) { event(id: $id) { subscriptions { nodes { databaseId changes { nodes {
      kind actorDatabaseId actor { databaseId name email } } } } } } }`;
    const actor = (person: { userId: string; email: string }, name: string, seen: boolean) => ({
      actorDatabaseId: person.userId,
      actor: { databaseId: person.userId, name, email: seen ? person.email : null },
    });
    await settleMails(server);
    for (const viewer of [manager, member]) {
      type Data = { event: { subscriptions: { nodes: { databaseId: string; changes: { nodes: object[] } }[] } } };
      const ask = () => query<Data>(server, viewer, document, { id: event.id });
      const { result, statements } = await countReads(server.orm, ask);
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
