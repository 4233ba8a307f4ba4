/** A tab of a first visit. */
export interface Example {
  /** Whom the demo has an account for; a guest needs none. */
  role: 'member' | 'manager' | 'guest';
  query: string;
  /** JSON, with the values that the page looks up in words. */
  variables?: string;
}

/** The tabs of a first visit: each is one operation that runs as it is, as often as one likes. */
export const examples: readonly Example[] = [
  {
    role: 'member',
    query: `# Who am I, and where do I belong?
# Sign in above first: with a demo account, if you like.
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
    role: 'member',
    query: `# For everybody who is signed in: what comes next?
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
    role: 'member',
    query: `# A place while there is one, otherwise the waiting list.
# Whoever manages the organization may name another member as userId.
# The page finds the event (see Variables); an id of your own does as well.
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
    role: 'member',
    query: `# If others wait, the first of them moves up.
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
  {
    role: 'manager',
    query: `# For managers and owners: a draft, which members do not see yet.
mutation CreateEvent {
  createEvent(
    input: {
      name: "Bread Baking for Beginners"
      dateStart: "2031-05-03T10:00:00+02:00"
      dateEnd: "2031-05-03T14:00:00+02:00"
      timezone: "Europe/Berlin"
      capacity: 12
    }
  ) {
    event {
      id
      slug
      status
      version
    }
  }
}
`,
  },
  {
    role: 'manager',
    query: `# For managers and owners: what subscribers are asked.
# Each change makes a new version; answers keep theirs.
mutation SetForm($event: ID!) {
  setEventForm(
    input: {
      eventId: $event
      questions: [
        { key: "diet", type: "choice", label: "What do you eat?", options: [{ value: "all", label: "Everything" }, { value: "vegan", label: "Vegan" }] }
        { key: "allergies", type: "text", label: "What must not be in it?" }
      ]
    }
  ) {
    event {
      name
    }
    form {
      version
      questions
    }
  }
}
`,
    variables: '{\n  "event": "<the newest draft>"\n}\n',
  },
  {
    role: 'manager',
    query: `# For managers and owners: the draft becomes active, and everybody sees it.
# "ifVersion" would refuse a change of what somebody else changed meanwhile.
mutation Publish($event: ID!) {
  updateEvent(input: { id: $event, status: ACTIVE, visibility: PUBLIC }) {
    event {
      name
      status
      version
    }
  }
}
`,
    variables: '{\n  "event": "<the newest draft>"\n}\n',
  },
  {
    role: 'manager',
    query: `# Who comes? Managers see everybody, members themselves.
query Guests {
  events(where: { status: { eq: ACTIVE } }, orderBy: { direction: DESC }, first: 5) {
    nodes {
      name
      acceptedCount
      capacity
      subscriptions(where: { status: { eq: ACCEPTED } }, first: 10) {
        totalCount
        nodes {
          createdAt
          user {
            name
            email
          }
        }
      }
    }
  }
}
`,
  },
  {
    role: 'manager',
    query: `# For managers and owners: a decision about somebody who waits for approval.
mutation Decide($subscription: ID!) {
  updateEventSubscription(input: { id: $subscription, status: ACCEPTED, notify: false }) {
    eventSubscription {
      status
      user {
        name
      }
    }
    event {
      name
      acceptedCount
    }
  }
}
`,
    variables: '{\n  "subscription": "<a pending subscription>"\n}\n',
  },
  {
    role: 'guest',
    query: `# For everybody, without a token: what is on, and can one still come?
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
    role: 'guest',
    query: `# For everybody, without a token: one event with its form.
# Guests subscribe by POST /public/events/{event}/subscriptions, which sends a mail; there is no mutation for it.
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
      questions
    }
  }
}
`,
    variables: '{\n  "event": "<an upcoming public event, if possible with questions>"\n}\n',
  },
];
