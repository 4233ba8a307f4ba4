import type { Example } from 'graphiql-and-reference';

/** For managers and owners. */
export const managerExamples: readonly Example[] = [
  {
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
    query: `# For managers and owners: the questions to subscribers.
# Each change makes a new version; answers stay with the version that they were given for.
mutation SetForm($event: ID!) {
  setEventForm(
    input: {
      eventId: $event
      questions: [
        { key: "diet", type: CHOICE, label: "What do you eat?", options: [{ value: "all", label: "Everything" }, { value: "vegan", label: "Vegan" }] }
        { key: "allergies", type: TEXT, label: "What must not be in it?" }
      ]
    }
  ) {
    event {
      name
    }
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
    variables: '{\n  "event": "<the newest draft>"\n}\n',
  },
  {
    query: `# For managers and owners: the draft becomes active, and everyone can see it.
# With "ifVersion", the change would be refused if somebody else had changed the event in the meantime.
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
    query: `# Who is coming? Managers see everyone, members see themselves.
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
          attendeeName
          user {
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
    query: `# For managers and owners: decides about a subscription that waits for approval.
mutation Decide($subscription: ID!) {
  updateEventSubscription(input: { id: $subscription, status: ACCEPTED, notify: false }) {
    eventSubscription {
      status
      attendeeName
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
];
