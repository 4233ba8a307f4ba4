/** Made by `npm run print`; not written by hand. */

/** The types of each interface. */
export const possibleTypes: Record<string, string[]> = {
  "EventFields": [
    "Event",
    "PublicEvent"
  ],
  "Node": [
    "ApiKey",
    "AuditEntry",
    "Event",
    "EventForm",
    "EventSubscription",
    "EventSubscriptionChange",
    "Invitation",
    "Membership",
    "Organization",
    "PublicEvent",
    "Session",
    "User",
    "Webhook",
    "WebhookDelivery"
  ]
};

/** The connections of each type. */
export const connections: Record<string, string[]> = {
  "Event": [
    "subscriptions"
  ],
  "EventSubscription": [
    "changes"
  ],
  "Organization": [
    "apiKeys",
    "auditEntries",
    "eventSubscriptions",
    "events",
    "invitations",
    "members",
    "webhooks"
  ],
  "PublicOrganization": [
    "events"
  ],
  "Query": [
    "eventSubscriptions",
    "events",
    "publicEvents"
  ],
  "User": [
    "sessions"
  ],
  "Webhook": [
    "deliveries"
  ]
};

/** The types without an id. */
export const embedded: string[] = [
  "AcceptInvitationPayload",
  "ApiKeyConnection",
  "ApiKeyEdge",
  "AuditEntryConnection",
  "AuditEntryEdge",
  "BulkError",
  "ChangeConnection",
  "ChangeEdge",
  "ChangePasswordPayload",
  "ChangePayload",
  "CheckInEventSubscriptionPayload",
  "Count",
  "CreateApiKeyPayload",
  "CreateEventPayload",
  "CreateOrganizationPayload",
  "CreateWebhookPayload",
  "DeleteApiKeyPayload",
  "DeleteEventPayload",
  "DeleteOrganizationPayload",
  "DeleteWebhookPayload",
  "DuplicateEventPayload",
  "EndOtherSessionsPayload",
  "EndSessionPayload",
  "EraseViewerPayload",
  "EventConnection",
  "EventEdge",
  "EventPermissions",
  "EventQuestion",
  "EventQuestionOption",
  "EventSubscriptionChangeConnection",
  "EventSubscriptionChangeEdge",
  "EventSubscriptionConnection",
  "EventSubscriptionCounts",
  "EventSubscriptionEdge",
  "EventSubscriptionPermissions",
  "InputIssue",
  "InvitationConnection",
  "InvitationEdge",
  "InviteMemberPayload",
  "MembershipConnection",
  "MembershipEdge",
  "OrganizationMails",
  "PageInfo",
  "Permission",
  "PublicEventConnection",
  "PublicEventEdge",
  "PublicOrganization",
  "RemoveMemberPayload",
  "ReplayWebhookPayload",
  "RetryWebhookDeliveryPayload",
  "RevokeInvitationPayload",
  "RotateWebhookSecretPayload",
  "SessionConnection",
  "SessionEdge",
  "SetEventFormPayload",
  "SubscribeToEventPayload",
  "SubscribeUsersToEventPayload",
  "TestWebhookPayload",
  "UndoCheckInPayload",
  "UpdateApiKeyPayload",
  "UpdateEventPayload",
  "UpdateEventSubscriptionPayload",
  "UpdateEventSubscriptionsPayload",
  "UpdateMemberRolePayload",
  "UpdateOrganizationPayload",
  "UpdateProfilePayload",
  "UpdateWebhookPayload",
  "WebhookConnection",
  "WebhookDeliveryConnection",
  "WebhookDeliveryEdge",
  "WebhookEdge",
  "Change"
];
