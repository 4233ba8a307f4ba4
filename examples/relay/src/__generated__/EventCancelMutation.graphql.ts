/**
 * @generated SignedSource<<1bcc1b4c5035b9f5b3528c7743a52f4e>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type EventAvailability = "APPROVAL" | "CLOSED" | "FULL" | "OPEN" | "WAITING_LIST" | "%future added value";
export type EventStatus = "ACTIVE" | "ARCHIVED" | "CANCELLED" | "DRAFT" | "%future added value";
export type EventSubscriptionStatus = "ACCEPTED" | "CANCELLED" | "DECLINED" | "PENDING" | "WAITLISTED" | "%future added value";
export type EventCancelMutation$variables = {
  subscription: string;
};
export type EventCancelMutation$data = {
  readonly updateEventSubscription: {
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
export type EventCancelMutation = {
  response: EventCancelMutation$data;
  variables: EventCancelMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "subscription"
  }
],
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
},
v3 = [
  {
    "alias": null,
    "args": [
      {
        "fields": [
          {
            "kind": "Variable",
            "name": "id",
            "variableName": "subscription"
          },
          {
            "kind": "Literal",
            "name": "status",
            "value": "CANCELLED"
          }
        ],
        "kind": "ObjectValue",
        "name": "input"
      }
    ],
    "concreteType": "UpdateEventSubscriptionPayload",
    "kind": "LinkedField",
    "name": "updateEventSubscription",
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
          (v1/*:: as any*/),
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
          (v2/*:: as any*/),
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
              (v1/*:: as any*/),
              (v2/*:: as any*/),
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
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "EventCancelMutation",
    "selections": (v3/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "EventCancelMutation",
    "selections": (v3/*:: as any*/)
  },
  "params": {
    "cacheID": "79c651d229053cdf5618b9c0ed46ca27",
    "id": null,
    "metadata": {},
    "name": "EventCancelMutation",
    "operationKind": "mutation",
    "text": "mutation EventCancelMutation(\n  $subscription: ID!\n) {\n  updateEventSubscription(input: {id: $subscription, status: CANCELLED}) {\n    event {\n      id\n      name\n      dateStart\n      timezone\n      status\n      capacity\n      acceptedCount\n      placesLeft\n      availability\n      viewerSubscription {\n        __typename\n        id\n        status\n        waitingPosition\n      }\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "014d8c1a7982616f80396108a76a4700";

export default node;
