import { getNamedType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { curlOf } from '../../packages/explorer-content/src/as-rest/request.ts';
import { openapiDocument } from '../../src/rest/server/openapi.ts';
import { globalId } from '../../src/schema/builder/global-id.ts';
import { schema } from '../../src/schema/schema.ts';
import { asRest, asRestLines, twins } from '../support/as-rest.ts';
import { routesOfTest } from '../support/routes.ts';

const id = '019b76ed-6dc7-7e8c-bea8-808ce138a5c9';
const event = globalId('Event', id);
const now = new Date('2026-05-01T10:00:00Z');

describe('the operations of an operation in REST', () => {
  it('are those of the same command, for every mutation', () => {
    const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
    expect(mutations.length).toBeGreaterThan(20);
    expect(Object.keys(twins.mutations).sort()).toEqual(mutations.sort());
    const { paths } = openapiDocument(routesOfTest, 'http://events.test', {}) as { paths: Record<string, object> };
    for (const { method, path } of Object.values(twins.mutations)) expect(paths[path]).toHaveProperty(method);
  });

  it('are lists for every connection of the schema', () => {
    const connections = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type) && type.name.endsWith('Connection') ? [getNamedType(type.getFields().nodes?.type)?.name] : [],
    );
    expect(connections.length).toBeGreaterThan(7);
    // the log of changes is no list of a noun
    for (const name of connections) if (name !== 'Change') expect(twins.lists).toHaveProperty(String(name));
  });

  it('exist for every field of Query, or it is said why not', () => {
    const found = Object.values(schema.getQueryType()?.getFields() ?? {}).map(({ name, args, type }) => {
      const given = args.some((each) => each.name === 'id') ? `(id: "${event}")` : '';
      const ids =
        name === 'nodes'
          ? `(ids: ["${event}"])`
          : args.some((each) => each.name === 'slug')
            ? '(slug: "open-day")'
            : given;
      const selection = getNamedType(type).name.endsWith('Connection') ? 'nodes { id }' : '... on Event { name } id';
      return [name, ...asRestLines(`{ ${name}${ids} { ${selection} } }`)];
    });
    expect(found.sort()).toEqual([
      ['changes', 'GET /changes'],
      ['event', `GET /events/${id}?fields=id name`],
      ['eventBySlug', 'GET /events/open-day?fields=id name'],
      ['eventSubscriptions', 'GET /subscriptions?fields=id'],
      ['events', 'GET /events?fields=id'],
      ['node', `GET /events/${id}?fields=id name`],
      ['nodes', 'REST has no operation for Query.nodes.'],
      ['organization', 'GET /organization?fields=id'],
      ['publicEvent', `GET /public/events/${id}?fields=id`],
      ['publicEventBySlug', 'GET /public/events/open-day?fields=id'],
      ['publicEvents', 'GET /public/events?fields=id'],
      ['publicOrganization', 'GET /public/organizations/open-day'],
      ['viewer', 'GET /auth/me'],
    ]);
  });

  it('read the log of changes, as a page or as a stream', () => {
    const of = (document: string) =>
      asRest(document).map((each) => curlOf(each as never, { service: '', organization: null }));
    expect(of('{ changes(first: 9, since: NOW, kinds: [EVENT, FORM]) { nodes { id } } }').join()).toContain(
      'curl -s -G /changes \\\n  -H "authorization: Bearer $TOKEN" \\\n  --data-urlencode limit=9 \\\n  --data-urlencode since=now \\\n  --data-urlencode \'kinds=event form\'',
    );
    expect(of('{ changes { nodes { kind event { name } } } }').join()).toContain('include=object');
    const stream = of('subscription { changes(after: "c") { cursor } }').join();
    expect(stream).toContain('curl -N -s -G /changes');
    expect(stream).toContain("'accept: text/event-stream'");
    expect(stream).toContain('token=c');
  });

  it.each([
    ['(where: { status: { eq: ACTIVE } }, first: 5)', 'where={"status":1}&limit=5&'],
    [`(where: { id: { eq: "${event}" } })`, `where={"id":"${id}"}&`],
    [
      '(where: { viewerSubscription: { in: [ACCEPTED, WAITLISTED] } })',
      'where={"viewer_subscription":{"$in":["accepted","waitlisted"]}}&',
    ],
    ['(where: { viewerSubscription: { eq: null } })', 'where={"viewer_subscription":null}&'],
    ['(from: "2031-01-01T00:00:00Z", first: 5)', 'limit=5&from=2031-01-01T00:00:00Z&'],
    [
      '(where: { capacity: { eq: null }, waitingList: { ne: true } })',
      'where={"capacity":null,"waiting_list":{"$ne":true}}&',
    ],
    [
      '(where: { or: [{ registration: { eq: OPEN } }, { not: { capacity: { gte: 2, lt: 9 } } }] })',
      'where={"$or":[{"registration":"open"},{"$not":{"capacity":{"$gte":2,"$lt":9}}}]}&',
    ],
    [
      '(where: { phase: { eq: UPCOMING }, status: null })',
      'where={"$and":[{"status":1,"date_start":{"$gt":"2026-05-01T10:00:00.000Z"}}]}&',
    ],
    ['(where: {}, first: 99, orderBy: { direction: DESC })', 'limit=50&sort=-1&'],
    ['(after: "c", first: null)', 'token=c&'],
  ])('give the page of events%s', (args, query) => {
    expect(asRestLines(`{ events${args} { edges { node { name } } } }`, { now })).toEqual([
      `GET /events?${query}fields=name`,
    ]);
  });

  it.each([
    ['(first: 0)', 'REST has no empty pages: count the list instead.'],
    ['(orderBy: { field: CREATED_AT })', 'REST sorts events only by their start, in either direction.'],
    ['(first: 1, before: "c")', 'A REST page starts at one cursor and cannot end at another.'],
    ['(last: 1, after: "c")', 'A REST page starts at one cursor and cannot end at another.'],
  ])('do not exist for the page of events%s', (args, reason) => {
    expect(asRestLines(`{ events${args} { nodes { name } } }`)).toEqual([reason]);
  });

  it('are several for what is nested, and for counts', () => {
    const query = `query Everything($id: ID!) {
      event(id: $id) {
        ...Facts
        phase
        form(version: 2) { version }
        subscriptions(first: 3) { totalCount count(max: 9) { value } nodes { status user { name } event { name form { version } } changes { nodes { kind } } } }
        viewerSubscription { status }
      }
    }
    fragment Facts on Event { __typename name }`;
    expect(asRestLines(query, { operationName: 'Everything', variables: { id: event }, viewerId: 'me' })).toEqual([
      `GET /events/${id}?fields=name status date_start date_end\nREST has no phase: it follows from status and dates.`,
      `GET /events/${id}/form?version=2`,
      `GET /events/${id}/subscriptions?limit=3&fields=status&include=user event\nREST does not have Event.form here.`,
      `GET /events/${id}/subscriptions/count`,
      `GET /events/${id}/subscriptions/count?max=9`,
      `GET /events/${id}/subscriptions/{subscription}/changes?fields=kind\n{subscription}: the REST id (databaseId) of the subscription.`,
      `GET /events/${id}/subscriptions?where={"user_id":"me"}&sort=-1&limit=1&fields=status`,
    ]);
  });

  it('are those of the whole organization, and of computed fields', () => {
    const query = `{
      eventSubscriptions(where: { eventId: { eq: "${event}" } }) { totalCount nodes { status event { name } } }
      events { nodes { availability subscriptionCounts { accepted } viewerCan { update { allowed } } } }
      eventBySlug(slug: "open-day") { placesLeft }
      organization { members(where: { email: { eq: "a@example.org" } }) { nodes { role } } }
    }`;
    expect(asRestLines(query)).toEqual([
      `GET /subscriptions?where={"event_id":"${id}"}&fields=status&include=event`,
      `GET /subscriptions/count?where={"event_id":"${id}"}`,
      'GET /events?fields=availability subscription_counts viewer_can',
      'GET /events/open-day?fields=places_left',
      'GET /members?where={"email":"a@example.org"}&fields=role',
    ]);
    expect(asRestLines('{ events(from: "2031-01-01T00:00:00Z", last: 5) { nodes { id } } }')).toEqual([
      'In REST, only the first page begins at a time.',
    ]);
  });

  it('carry the input of a mutation under the names and with the values of REST', () => {
    const mutation = `mutation ($name: String = "New", $gone: String) {
      updateEvent(input: { id: "${event}", name: $name, status: ACTIVE, dateStart: "2031-01-01T00:00:00Z", capacity: null, timezone: null, location: $gone, ifVersion: 3, clientMutationId: "x" }) { event { id } }
      deleteEvent(input: { id: "${event}", ifVersion: 4 }) { deletedEventId }
      checkInEventSubscription(input: { id: "${globalId('EventSubscription', id)}" }) { event { id } }
      updateEventSubscriptions(input: { ids: ["${globalId('EventSubscription', id)}"], status: ACCEPTED }) { errors { code } }
    }`;
    expect(asRestLines(mutation)).toEqual([
      `PATCH /events/${id}\nif-match: "3"\n{"name":"New","status":1,"date_start":"2031-01-01T00:00:00Z","capacity":null}`,
      `DELETE /events/${id}\nif-match: "4"`,
      `POST /events/{event}/subscriptions/${id}/check-in\n{event}: the REST id (databaseId) of the event.`,
      `POST /events/{event}/subscriptions/transition\n{"ids":["${id}"],"status":"accepted"}\n{event}: the REST id (databaseId) of the event.`,
    ]);
  });

  it('carry the input of a DELETE that takes one', () => {
    const mutation = `mutation {
      eraseViewer(input: { password: "x" }) { erased }
      removeMember(input: { id: "${globalId('Membership', id)}", eraseAnswers: true }) { removedMembershipId }
      deleteOrganization(input: { id: "${globalId('Organization', id)}", name: "Arts" }) { deletedOrganizationId }
    }`;
    expect(asRestLines(mutation)).toEqual([
      'DELETE /auth/me\n{"password":"x"}',
      `DELETE /members/${id}\n{"erase_answers":true}`,
      `DELETE /organizations/${id}\n{"name":"Arts"}`,
    ]);
  });

  it('are command lines, whose body a shell reads as it is meant, and without a token where none is needed', () => {
    const options = { service: 'http://events.test', organization: 'o' };
    const lines = [
      'mutation { createOrganization(input: { name: "It\'s" }) { organization { id } } }',
      '{ publicEvents { totalCount } }',
    ]
      .flatMap((document) => asRest(document))
      .map((each) => !('reason' in each) && curlOf(each, options));
    expect(lines).toEqual([
      `curl -s http://events.test/organizations \\
  -H "authorization: Bearer $TOKEN" \\
  -H 'x-organization-id: o' \\
  -H 'content-type: application/json' \\
  -d '{"name":"It'\\''s"}'`,
      `curl -s http://events.test/public/events/count \\
  -H 'x-organization-id: o'`,
    ]);
  });
});
