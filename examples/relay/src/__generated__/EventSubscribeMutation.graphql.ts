/**
 * @generated SignedSource<<a6a6262d29e315b1dc2386c433e3e054>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type EventAvailability = "APPROVAL" | "CLOSED" | "FULL" | "OPEN" | "WAITING_LIST" | "%future added value";
export type EventStatus = "ACTIVE" | "ARCHIVED" | "CANCELLED" | "DRAFT" | "%future added value";
export type EventSubscriptionStatus = "ACCEPTED" | "CANCELLED" | "DECLINED" | "PENDING" | "WAITLISTED" | "%future added value";
export type EventSubscribeMutation$variables = {
  answers?: any | null | undefined;
  event: string;
  formVersion?: number | null | undefined;
};
export type EventSubscribeMutation$data = {
  readonly subscribeToEvent: {
    readonly event: {
      readonly acceptedCount: number;
      readonly availability: EventAvailability;
      readonly capacity: number | null | undefined;
      readonly dateStart: string;
      readonly id: string;
      readonly name: string;
      readonly placesLeft: number | null | undefined;
      readonly status: EventStatus;
      readonly timezone: string;
      readonly viewerSubscription: {
        readonly __typename: "EventSubscription";
        readonly id: string;
        readonly status: EventSubscriptionStatus;
        readonly waitingPosition: number | null | undefined;
      } | null | undefined;
    };
  } | null | undefined;
};
export type EventSubscribeMutation = {
  response: EventSubscribeMutation$data;
  variables: EventSubscribeMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "answers"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "event"
},
v2 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "formVersion"
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
},
v5 = [
  {
    "alias": null,
    "args": [
      {
        "fields": [
          {
            "kind": "Variable",
            "name": "answers",
            "variableName": "answers"
          },
          {
            "kind": "Variable",
            "name": "eventId",
            "variableName": "event"
          },
          {
            "kind": "Variable",
            "name": "formVersion",
            "variableName": "formVersion"
          }
        ],
        "kind": "ObjectValue",
        "name": "input"
      }
    ],
    "concreteType": "SubscribeToEventPayload",
    "kind": "LinkedField",
    "name": "subscribeToEvent",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Event",
        "kind": "LinkedField",
        "name": "event",
        "plural": false,
        "selections": [
          (v3/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "name",
            "storageKey": null
          },
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
          (v4/*:: as any*/),
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
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "__typename",
                "storageKey": null
              },
              (v3/*:: as any*/),
              (v4/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "waitingPosition",
                "storageKey": null
              }
            ],
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/),
      (v2/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "EventSubscribeMutation",
    "selections": (v5/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v1/*:: as any*/),
      (v0/*:: as any*/),
      (v2/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "EventSubscribeMutation",
    "selections": (v5/*:: as any*/)
  },
  "params": {
    "cacheID": "e8310a24bd0bec53f40e7dc236d82b9f",
    "id": null,
    "metadata": {},
    "name": "EventSubscribeMutation",
    "operationKind": "mutation",
    "text": "mutation EventSubscribeMutation(\n  $event: ID!\n  $answers: JSON\n  $formVersion: Int\n) {\n  subscribeToEvent(input: {eventId: $event, answers: $answers, formVersion: $formVersion}) {\n    event {\n      id\n      name\n      dateStart\n      timezone\n      status\n      capacity\n      acceptedCount\n      placesLeft\n      availability\n      viewerSubscription {\n        __typename\n        id\n        status\n        waitingPosition\n      }\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "0067031699632ac0559564d15ef9fbe5";

export default node;
