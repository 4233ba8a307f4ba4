/**
 * @generated SignedSource<<6a7e73a434a897d5c8efe0fbd9b5f2fd>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type EventAvailability = "APPROVAL" | "CLOSED" | "FULL" | "OPEN" | "WAITING_LIST" | "%future added value";
export type EventStatus = "ACTIVE" | "ARCHIVED" | "CANCELLED" | "DRAFT" | "%future added value";
export type EventSubscriptionStatus = "ACCEPTED" | "CANCELLED" | "DECLINED" | "PENDING" | "WAITLISTED" | "%future added value";
import { FragmentRefs } from "relay-runtime";
export type Event_event$data = {
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
  readonly " $fragmentType": "Event_event";
};
export type Event_event$key = {
  readonly " $data"?: Event_event$data;
  readonly " $fragmentSpreads": FragmentRefs<"Event_event">;
};

const node: ReaderFragment = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
};
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Event_event",
  "selections": [
    (v0/*:: as any*/),
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
    (v1/*:: as any*/),
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
        (v0/*:: as any*/),
        (v1/*:: as any*/),
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
  "type": "Event",
  "abstractKey": null
};
})();

(node as any).hash = "03b7f91140290da4e364d59a7313ad19";

export default node;
