/**
 * @generated SignedSource<<b5c6215b7c8766e9e2276fd619288c02>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type EventPhase = "CONCLUDED" | "IN_PROGRESS" | "UPCOMING" | "%future added value";
export type EventRegistration = "APPROVAL" | "CLOSED" | "OPEN" | "%future added value";
export type EventStatus = "ACTIVE" | "ARCHIVED" | "CANCELLED" | "DRAFT" | "%future added value";
export type EventSubscriptionStatus = "ACCEPTED" | "CANCELLED" | "DECLINED" | "PENDING" | "WAITLISTED" | "%future added value";
export type EventVisibility = "ORGANIZATION" | "PUBLIC" | "%future added value";
export type EventWhere = {
  and?: ReadonlyArray<EventWhere> | null | undefined;
  capacity?: IntFilter | null | undefined;
  createdAt?: DateTimeFilter | null | undefined;
  dateEnd?: DateTimeFilter | null | undefined;
  dateStart?: DateTimeFilter | null | undefined;
  id?: IDFilter | null | undefined;
  name?: StringContainsFilter | null | undefined;
  not?: EventWhere | null | undefined;
  or?: ReadonlyArray<EventWhere> | null | undefined;
  phase?: EventPhaseFilter | null | undefined;
  registration?: EventRegistrationFilter | null | undefined;
  slug?: StringFilter | null | undefined;
  status?: EventStatusFilter | null | undefined;
  updatedAt?: DateTimeFilter | null | undefined;
  viewerSubscription?: EventSubscriptionStatusFilter | null | undefined;
  visibility?: EventVisibilityFilter | null | undefined;
  waitingList?: BooleanFilter | null | undefined;
};
export type IntFilter = {
  eq?: number | null | undefined;
  gt?: number | null | undefined;
  gte?: number | null | undefined;
  in?: ReadonlyArray<number> | null | undefined;
  lt?: number | null | undefined;
  lte?: number | null | undefined;
  ne?: number | null | undefined;
};
export type DateTimeFilter = {
  eq?: string | null | undefined;
  gt?: string | null | undefined;
  gte?: string | null | undefined;
  lt?: string | null | undefined;
  lte?: string | null | undefined;
};
export type IDFilter = {
  eq?: string | null | undefined;
  in?: ReadonlyArray<string> | null | undefined;
  ne?: string | null | undefined;
};
export type StringContainsFilter = {
  contains?: string | null | undefined;
};
export type EventPhaseFilter = {
  eq?: EventPhase | null | undefined;
};
export type EventRegistrationFilter = {
  eq?: EventRegistration | null | undefined;
  in?: ReadonlyArray<EventRegistration> | null | undefined;
  ne?: EventRegistration | null | undefined;
};
export type StringFilter = {
  eq?: string | null | undefined;
  in?: ReadonlyArray<string> | null | undefined;
  ne?: string | null | undefined;
};
export type EventStatusFilter = {
  eq?: EventStatus | null | undefined;
  in?: ReadonlyArray<EventStatus> | null | undefined;
  ne?: EventStatus | null | undefined;
};
export type EventSubscriptionStatusFilter = {
  eq?: EventSubscriptionStatus | null | undefined;
  in?: ReadonlyArray<EventSubscriptionStatus> | null | undefined;
  ne?: EventSubscriptionStatus | null | undefined;
};
export type EventVisibilityFilter = {
  eq?: EventVisibility | null | undefined;
  in?: ReadonlyArray<EventVisibility> | null | undefined;
  ne?: EventVisibility | null | undefined;
};
export type BooleanFilter = {
  eq?: boolean | null | undefined;
  ne?: boolean | null | undefined;
};
export type EventsQuery$variables = {
  first?: number | null | undefined;
  from?: string | null | undefined;
  where?: EventWhere | null | undefined;
};
export type EventsQuery$data = {
  readonly " $fragmentSpreads": FragmentRefs<"Events_list">;
};
export type EventsQuery = {
  response: EventsQuery$data;
  variables: EventsQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "first"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "from"
},
v2 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "where"
},
v3 = [
  {
    "kind": "Variable",
    "name": "first",
    "variableName": "first"
  },
  {
    "kind": "Variable",
    "name": "from",
    "variableName": "from"
  },
  {
    "kind": "Variable",
    "name": "where",
    "variableName": "where"
  }
],
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v5 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
},
v6 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "__typename",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/),
      (v2/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "EventsQuery",
    "selections": [
      {
        "args": (v3/*:: as any*/),
        "kind": "FragmentSpread",
        "name": "Events_list"
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v2/*:: as any*/),
      (v1/*:: as any*/),
      (v0/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "EventsQuery",
    "selections": [
      {
        "alias": null,
        "args": (v3/*:: as any*/),
        "concreteType": "EventConnection",
        "kind": "LinkedField",
        "name": "events",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "EventEdge",
            "kind": "LinkedField",
            "name": "edges",
            "plural": true,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "Event",
                "kind": "LinkedField",
                "name": "node",
                "plural": false,
                "selections": [
                  (v4/*:: as any*/),
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "dateStart",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "timezone",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "name",
                    "storageKey": null
                  },
                  (v5/*:: as any*/),
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "capacity",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "acceptedCount",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "placesLeft",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "availability",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": "EventSubscription",
                    "kind": "LinkedField",
                    "name": "viewerSubscription",
                    "plural": false,
                    "selections": [
                      (v6/*:: as any*/),
                      (v4/*:: as any*/),
                      (v5/*:: as any*/),
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "waitingPosition",
                        "storageKey": null
                      }
                    ],
                    "storageKey": null
                  },
                  (v6/*:: as any*/)
                ],
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "cursor",
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "PageInfo",
            "kind": "LinkedField",
            "name": "pageInfo",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "hasPreviousPage",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "endCursor",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "hasNextPage",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "startCursor",
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "totalCount",
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": (v3/*:: as any*/),
        "filters": [
          "where"
        ],
        "handle": "connection",
        "key": "Events_events",
        "kind": "LinkedHandle",
        "name": "events"
      }
    ]
  },
  "params": {
    "cacheID": "f436f6acb75cbe070a073dee1fdfa9e7",
    "id": null,
    "metadata": {},
    "name": "EventsQuery",
    "operationKind": "query",
    "text": "query EventsQuery(\n  $where: EventWhere\n  $from: DateTime\n  $first: Int\n) {\n  ...Events_list_3w6LzX\n}\n\nfragment Event_event on Event {\n  id\n  name\n  dateStart\n  timezone\n  status\n  capacity\n  acceptedCount\n  placesLeft\n  availability\n  viewerSubscription {\n    __typename\n    id\n    status\n    waitingPosition\n  }\n}\n\nfragment Events_list_3w6LzX on Query {\n  events(where: $where, from: $from, first: $first) {\n    edges {\n      node {\n        id\n        dateStart\n        timezone\n        ...Event_event\n        __typename\n      }\n      cursor\n    }\n    pageInfo {\n      hasPreviousPage\n      endCursor\n      hasNextPage\n      startCursor\n    }\n    totalCount\n  }\n}\n"
  }
};
})();

(node as any).hash = "a57ebe45b61d2c78aaae9234b453448c";

export default node;
