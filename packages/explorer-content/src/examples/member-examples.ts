import type { Example } from 'graphiql-and-reference';

/** For everyone who is signed in. */
export const memberExamples: readonly Example[] = [
  {
    query: `# Who am I, and where do I belong?
# Sign in above first, for example with a demo account.
query WhoAmI {
  viewer {
    name
    email
    memberships {
      role
      organization {
        databaseId
        name
      }
    }
  }
}
`,
  },
  {
    query: `# For everyone who is signed in: which events come next?
# For the next page, put the endCursor of the answer into "after".
query Upcoming($after: String) {
  events(where: { phase: { eq: UPCOMING } }, first: 10, after: $after) {
    totalCount
    nodes {
      name
      dateStart
      location
      acceptedCount
      capacity
      viewerSubscription {
        status
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
    variables: '{\n  "after": null\n}\n',
  },
  {
    query: `# Follows what changes in the organization, live: change something in another tab, and look here.
# The first answer says that you are up to date. To go on later without missing anything, give the last cursor as "after"
# instead of "since".
subscription Follow($since: ChangeSince, $after: String) {
  changes(since: $since, after: $after) {
    cursor
    change {
      kind
      op
      occurredAt
      actor {
        name
      }
      object {
        ... on Event {
          name
          acceptedCount
        }
        ... on EventSubscription {
          status
        }
      }
    }
  }
}
`,
    variables: '{\n  "since": "NOW"\n}\n',
  },
  {
    query: `# Gives you a place if one is free, otherwise puts you on the waiting list.
# Managers can subscribe another member with userId.
# The page finds an event (see Variables); you can also enter an id.
mutation Subscribe($event: ID!) {
  subscribeToEvent(input: { eventId: $event }) {
    eventSubscription {
      id
      status
      waitingSince
    }
    event {
      name
      acceptedCount
      capacity
    }
  }
}
`,
    variables: '{\n  "event": "<the next event to subscribe to>"\n}\n',
  },
  {
    query: `# Cancels your subscription. If others are waiting, the first of them gets the place.
mutation Cancel($subscription: ID!) {
  updateEventSubscription(input: { id: $subscription, status: CANCELLED }) {
    eventSubscription {
      status
    }
    event {
      name
      acceptedCount
    }
  }
}
`,
    variables: '{\n  "subscription": "<your newest subscription>"\n}\n',
  },
];
