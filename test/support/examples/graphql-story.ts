import { credentials } from './story.ts';

/** A request of the examples in GraphQL. In its document `<name>` is what a step before it kept. */
export interface GraphqlStep {
  name: string;
  as: 'owner' | 'member' | 'guest';
  document: string;
  /** Names for what the answer has at these paths below `data`. */
  keep?: Record<string, string>;
}

/** For the pages of the reference, next to the examples of REST. */
export const graphqlStory: readonly GraphqlStep[] = [
  {
    ...{ name: 'createEvent', as: 'owner', keep: { event: 'createEvent.event.databaseId' } },
    document: `mutation {
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
      databaseId
      name
      slug
      status
      version
    }
  }
}`,
  },
  {
    ...{ name: 'failure', as: 'owner' },
    document: `mutation {
  createEvent(input: { name: "", dateStart: "2031-05-03T10:00:00Z", dateEnd: "2031-05-03T14:00:00Z" }) {
    event {
      name
    }
  }
}`,
  },
  {
    ...{ name: 'updateEvent', as: 'owner' },
    document: `mutation {
  updateEvent(input: { id: "<event>", ifVersion: 1, status: ACTIVE, visibility: PUBLIC }) {
    event {
      status
      visibility
      version
    }
  }
}`,
  },
  {
    ...{ name: 'setEventForm', as: 'owner' },
    document: `mutation {
  setEventForm(
    input: {
      eventId: "<event>"
      questions: [{ key: "allergies", type: TEXT, label: "What can you not eat?" }]
    }
  ) {
    form {
      version
      questions {
        key
        type
        label
        required
      }
    }
  }
}`,
  },
  {
    ...{ name: 'event', as: 'member' },
    document: `{
  event(id: "<event>") {
    databaseId
    name
    dateStart
    status
    version
  }
}`,
  },
  {
    ...{ name: 'events', as: 'member' },
    document: `{
  events(first: 1, where: { name: { contains: "bread" }, dateStart: { gte: "2031-01-01T00:00:00Z" } }) {
    totalCount
    nodes {
      databaseId
      name
      dateStart
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`,
  },
  {
    ...{ name: 'subscribeToEvent', as: 'member' },
    document: `mutation {
  subscribeToEvent(
    input: { eventId: "<event>", answers: { allergies: "Nuts" }, formVersion: 1 }
  ) {
    eventSubscription {
      databaseId
      status
      answers
    }
    event {
      acceptedCount
    }
  }
}`,
  },
  {
    ...{ name: 'nested', as: 'owner' },
    document: `{
  event(id: "<event>") {
    name
    subscriptions(first: 2) {
      nodes {
        status
        user {
          name
        }
      }
    }
  }
}`,
  },
  {
    ...{ name: 'viewer', as: 'member' },
    document: `{
  viewer {
    databaseId
    name
    email
    memberships {
      role
      organization {
        name
      }
    }
  }
}`,
  },
  {
    ...{ name: 'organization', as: 'member' },
    document: `{
  organization {
    databaseId
    name
    slug
    signup
    version
  }
}`,
  },
  {
    ...{ name: 'inviteMember', as: 'owner' },
    document: `mutation {
  inviteMember(input: { email: "paul@demo.example", role: MEMBER }) {
    invitation {
      databaseId
      email
      role
      expiresAt
    }
  }
}`,
  },
  {
    ...{ name: 'createApiKey', as: 'owner' },
    document: `mutation {
  createApiKey(input: { name: "Ticket shop", role: MANAGER, access: WRITE }) {
    apiKey {
      databaseId
      name
      role
      prefix
    }
    secret
  }
}`,
  },
  {
    ...{ name: 'createWebhook', as: 'owner' },
    document: `mutation {
  createWebhook(input: { url: "https://example.org/hooks", kinds: [FORM] }) {
    webhook {
      databaseId
      url
      kinds
      status
    }
    secret
  }
}`,
  },
  {
    ...{ name: 'changes', as: 'owner' },
    document: `{
  changes(since: START, kinds: [FORM], first: 1) {
    nodes {
      kind
      op
      objectGlobalId
      form {
        version
      }
      occurredAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`,
  },
  {
    ...{ name: 'auditEntries', as: 'owner' },
    document: `{
  organization {
    auditEntries(first: 1, where: { action: { eq: EVENT_CREATED } }) {
      nodes {
        action
        subjectDatabaseId
        createdAt
        subject {
          ... on Event {
            name
          }
        }
        actor {
          name
        }
      }
    }
  }
}`,
  },
  {
    ...{ name: 'publicEvents', as: 'guest' },
    document: `{
  publicEvents(first: 1, where: { name: { contains: "bread" }, dateStart: { gte: "2031-01-01T00:00:00Z" } }) {
    nodes {
      databaseId
      name
      availability
    }
  }
}`,
  },
  {
    ...{ name: 'publicOrganization', as: 'guest' },
    document: `{
  publicOrganization(slug: "demo") {
    name
    url
    events(first: 1) {
      nodes {
        name
        dateStart
      }
    }
  }
}`,
  },
  {
    ...{ name: 'eraseViewer', as: 'member' },
    document: `mutation {
  eraseViewer(input: { password: "${credentials.member.password}" }) {
    erased
  }
}`,
  },
];
