import type { Example } from 'graphiql-and-reference';

/** For everyone, without a token. */
export const guestExamples: readonly Example[] = [
  {
    query: `# For everyone, without a token: which events are coming up, and can I still subscribe?
query PublicEvents($from: DateTime!) {
  publicEvents(where: { dateStart: { gte: $from }, status: { eq: ACTIVE } }, first: 10) {
    totalCount
    nodes {
      name
      slug
      dateStart
      availability
    }
  }
}
`,
    variables: '{\n  "from": "<now>"\n}\n',
  },
  {
    query: `# For everyone, without a token: one event with its form.
# Guests subscribe with POST /public/events/{event}/subscriptions, which sends a mail; there is no mutation for it.
query PublicEvent($event: ID!) {
  publicEvent(id: $event) {
    name
    description
    dateStart
    timezone
    location
    availability
    form {
      version
      questions {
        key
        label
        options {
          label
        }
      }
    }
  }
}
`,
    variables: '{\n  "event": "<an upcoming public event, if possible with questions>"\n}\n',
  },
];
