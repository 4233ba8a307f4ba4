/** Made by `npm run print`; not written by hand. */
export interface paths {
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signs in with e-mail address and password, and sets the cookie `token`.
         * @description Only in REST: it is needed before there is an access token, or concerns the cookie, which belongs to `/auth`.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges the cookie `token` for its successor and a new access token.
         * @description Only in REST: it is needed before there is an access token, or concerns the cookie, which belongs to `/auth`.
         */
        post: operations["refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the session of the cookie or, without one, of the access token; always `true`.
         * @description Only in REST: it is needed before there is an access token, or concerns the cookie, which belongs to `/auth`.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed-in user, with their organizations and roles.
         * @description In GraphQL: `Query.viewer`.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        /**
         * Erases the account and everything that is kept about the signed-in user.
         * @description In GraphQL: `Mutation.eraseViewer`.
         */
        delete: operations["eraseViewer"];
        options?: never;
        head?: never;
        /**
         * Changes the viewer's name.
         * @description In GraphQL: `Mutation.updateProfile`.
         */
        patch: operations["updateProfile"];
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public keys that verify access tokens (RFC 7517).
         * @description Only in REST: it is needed before there is an access token, or concerns the cookie, which belongs to `/auth`.
         */
        get: operations["getJsonWebKeySet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account. Once its address is verified, it joins an open organization or creates a new one. Always `true`, even if the address is taken.
         * @description Only in REST: it is needed before there is an access token, or concerns the cookie, which belongs to `/auth`.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify-email-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends another verification link by mail; always `true`, even if the address is unknown.
         * @description Only in REST: it is needed before there is an access token, or concerns the cookie, which belongs to `/auth`.
         */
        post: operations["requestEmailVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verifies an e-mail address with the token from the mail; the account then joins or creates the organization of the sign-up.
         * @description Only in REST: it is needed before there is an access token, or concerns the cookie, which belongs to `/auth`.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a link to set a new password by mail; always `true`, even if the address is unknown.
         * @description Only in REST: it is needed before there is an access token, or concerns the cookie, which belongs to `/auth`.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets a new password with the token from the mail; ends all sessions and the secret calendar address.
         * @description Only in REST: it is needed before there is an access token, or concerns the cookie, which belongs to `/auth`.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the viewer's active sessions, oldest first.
         * @description In GraphQL: `User.sessions`.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * Ends all of the viewer's sessions except the current one.
         * @description In GraphQL: `Mutation.endOtherSessions`.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `User.sessions`.
         */
        post: operations["querySessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `User.sessions.totalCount`.
         */
        get: operations["countSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Ends one of the viewer's sessions, with its access tokens.
         * @description In GraphQL: `Mutation.endSession`.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the viewer's password, and ends all other sessions and the secret calendar address.
         * @description In GraphQL: `Mutation.changePassword`.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * As `DELETE /auth/me`, for clients and proxies that drop the body of a DELETE.
         * @description In GraphQL: `Mutation.eraseViewer`.
         */
        post: operations["eraseViewerByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that is kept about the signed-in user, as a JSON document; at most 3 an hour.
         * @description Only in REST: it sends a file.
         */
        get: operations["exportPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organization as a JSON document that `db:import` reads; for owners.
         * @description Only in REST: it sends a file.
         */
        get: operations["exportOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of the viewer's organizations.
         * @description In GraphQL: `Query.organization`.
         */
        get: operations["getOwnOrganization"];
        put?: never;
        post?: never;
        /**
         * Deletes an organization, whose name is repeated: it is unknown at once, and gone within an hour. For owners.
         * @description In GraphQL: `Mutation.deleteOrganization`.
         */
        delete: operations["deleteOrganization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization}/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * As `DELETE /organizations/{organization}`, for clients and proxies that drop the body of a DELETE.
         * @description In GraphQL: `Mutation.deleteOrganization`.
         */
        post: operations["deleteOrganizationByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the viewer's organizations, oldest first, each with the viewer's role.
         * @description In GraphQL: `User.memberships`.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Creates an organization with the viewer as its owner.
         * @description In GraphQL: `Mutation.createOrganization`.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `User.memberships`.
         */
        post: operations["queryOrganizations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `User.memberships`.
         */
        get: operations["countOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization}/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many mails of an organization are waiting because it sent too many within an hour; for managers and owners.
         * @description In GraphQL: `Organization.mails`.
         */
        get: operations["getWaitingMails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organization that `x-organization-id` names.
         * @description In GraphQL: `Query.organization`.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes the organization: its name, who can join it, and what its public pages show; absent fields keep their values. For owners.
         * @description In GraphQL: `Mutation.updateOrganization`.
         */
        patch: operations["changeOrganization"];
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the members that the viewer may see, oldest first: managers and owners see all, members only themselves.
         * @description In GraphQL: `Organization.members`.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `Organization.members`.
         */
        post: operations["queryMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `Organization.members.totalCount`.
         */
        get: operations["countMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{member}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One member of the organization.
         * @description In GraphQL: `Query.node`.
         */
        get: operations["getMember"];
        put?: never;
        post?: never;
        /**
         * Removes a member, or leaves the organization. Takes effect with the next request.
         * @description In GraphQL: `Mutation.removeMember`.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Changes the role of a member: owners can assign any role, managers `manager` and `member`.
         * @description In GraphQL: `Mutation.updateMemberRole`.
         */
        patch: operations["changeMemberRole"];
        trace?: never;
    };
    "/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the invitations that can still be accepted, oldest first; for managers and owners.
         * @description In GraphQL: `Organization.invitations`.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invites an e-mail address; the invitation expires after 7 days. Replaces an older invitation of the address.
         * @description In GraphQL: `Mutation.inviteMember`.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `Organization.invitations`.
         */
        post: operations["queryInvitations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `Organization.invitations.totalCount`.
         */
        get: operations["countInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Joins an organization with the token of an invitation, which must have been sent to the viewer's address.
         * @description In GraphQL: `Mutation.acceptInvitation`.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{invitation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One invitation that can still be accepted; for managers and owners.
         * @description In GraphQL: `Query.node`.
         */
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        /**
         * Revokes an invitation.
         * @description In GraphQL: `Mutation.revokeInvitation`.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the API keys of the organization, oldest first; for owners.
         * @description In GraphQL: `Organization.apiKeys`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Creates an API key. The response shows its secret, only this once.
         * @description In GraphQL: `Mutation.createApiKey`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `Organization.apiKeys`.
         */
        post: operations["queryApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `Organization.apiKeys.totalCount`.
         */
        get: operations["countApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One API key; for owners.
         * @description In GraphQL: `Query.node`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Ends an API key for good. It stops working within 5 seconds.
         * @description In GraphQL: `Mutation.deleteApiKey`.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        /**
         * Renames an API key.
         * @description In GraphQL: `Mutation.updateApiKey`.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the organization's audit trail, oldest first; for owners.
         * @description In GraphQL: `Organization.auditEntries`.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `Organization.auditEntries`.
         */
        post: operations["queryAuditEntries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `Organization.auditEntries.totalCount`.
         */
        get: operations["countAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All events of the list, as a file; for managers and owners.
         * @description Only in REST: it sends a file.
         */
        get: operations["exportEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/subscriptions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All subscriptions of the list, as a file; for managers and owners.
         * @description Only in REST: it sends a file.
         */
        get: operations["exportSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All subscriptions of the organization in the list, as a file; for managers and owners.
         * @description Only in REST: it sends a file.
         */
        get: operations["exportOrganizationSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/calendar.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One event as a calendar file.
         * @description Only in REST: it serves files for calendar programs.
         */
        get: operations["getEventCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a secret address for a calendar of the viewer's subscriptions; replaces the previous address.
         * @description Only in REST: it serves files for calendar programs.
         */
        post: operations["renewCalendar"];
        /**
         * Revokes the secret address of the viewer's calendar, if there is one.
         * @description Only in REST: it serves files for calendar programs.
         */
        delete: operations["endCalendar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The live subscriptions of the secret address's user, as a calendar file.
         * @description Only in REST: it serves files for calendar programs.
         */
        get: operations["getCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the organization's events that the viewer may see, by start.
         * @description In GraphQL: `Organization.events`, `Query.events`.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Creates an event; for managers and owners.
         * @description In GraphQL: `Mutation.createEvent`.
         */
        post: operations["createEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `Organization.events`, `Query.events`.
         */
        post: operations["queryEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `Organization.events.totalCount`, `Query.events.totalCount`.
         */
        get: operations["countEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One event, by its id, its slug or a former slug.
         * @description In GraphQL: `Query.event`, `Query.eventBySlug`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        /**
         * Deletes a draft without subscriptions; for managers and owners.
         * @description In GraphQL: `Mutation.deleteEvent`.
         */
        delete: operations["deleteEvent"];
        options?: never;
        head?: never;
        /**
         * Changes an event; absent fields keep their values. For managers and owners.
         * @description In GraphQL: `Mutation.updateEvent`.
         */
        patch: operations["updateEvent"];
        trace?: never;
    };
    "/events/{event}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a draft as a copy of an event; the fields in the body replace those of the original. For managers and owners.
         * @description In GraphQL: `Mutation.duplicateEvent`.
         */
        post: operations["duplicateEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/form": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The form that subscribers to an event fill in.
         * @description In GraphQL: `Event.form`.
         */
        get: operations["getEventForm"];
        /**
         * Sets the form of an event; a change creates its next version. For managers and owners.
         * @description In GraphQL: `Mutation.setEventForm`.
         */
        put: operations["setEventForm"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the subscriptions to the organization's events that the viewer may see, oldest first.
         * @description In GraphQL: `Organization.eventSubscriptions`, `Query.eventSubscriptions`.
         */
        get: operations["listOrganizationSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `Organization.eventSubscriptions`, `Query.eventSubscriptions`.
         */
        post: operations["queryOrganizationSubscriptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `Organization.eventSubscriptions.totalCount`, `Query.eventSubscriptions.totalCount`.
         */
        get: operations["countOrganizationSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the subscriptions of an event that the viewer may see, oldest first.
         * @description In GraphQL: `Event.subscriptions`.
         */
        get: operations["listSubscriptions"];
        put?: never;
        /**
         * Subscribes the viewer to an event; managers can subscribe any member.
         * @description In GraphQL: `Mutation.subscribeToEvent`.
         */
        post: operations["subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/subscriptions/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `Event.subscriptions`.
         */
        post: operations["querySubscriptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/subscriptions/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `Event.subscriptions.totalCount`.
         */
        get: operations["countSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/subscriptions/transition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the status of up to 100 subscriptions of an event, each independently; for managers and owners.
         * @description In GraphQL: `Mutation.updateEventSubscriptions`.
         */
        post: operations["transitionSubscriptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/subscriptions/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribes up to 100 members to an event, each independently; for managers and owners.
         * @description In GraphQL: `Mutation.subscribeUsersToEvent`.
         */
        post: operations["subscribeUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/subscriptions/{subscription}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One subscription of an event.
         * @description In GraphQL: `Query.node`.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes the status of a subscription, or replaces its answers; holders can cancel their own.
         * @description In GraphQL: `Mutation.updateEventSubscription`.
         */
        patch: operations["updateSubscription"];
        trace?: never;
    };
    "/events/{event}/subscriptions/{subscription}/check-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Checks in an accepted subscription; for managers and owners.
         * @description In GraphQL: `Mutation.checkInEventSubscription`.
         */
        post: operations["checkIn"];
        /**
         * Undoes a check-in; for managers and owners.
         * @description In GraphQL: `Mutation.undoCheckIn`.
         */
        delete: operations["undoCheckIn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/subscriptions/{subscription}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the history of a subscription, oldest first; for its holder, managers and owners.
         * @description In GraphQL: `EventSubscription.changes`.
         */
        get: operations["listSubscriptionChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/subscriptions/{subscription}/changes/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `EventSubscription.changes`.
         */
        post: operations["querySubscriptionChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event}/subscriptions/{subscription}/changes/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `EventSubscription.changes.totalCount`.
         */
        get: operations["countSubscriptionChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the changes in the organization, oldest first, as the viewer sees them.
         * @description In GraphQL: `Query.changes`.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/changes/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body.
         * @description In GraphQL: `Query.changes`.
         */
        post: operations["queryChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the public events of an organization that are active or cancelled, ordered by start.
         * @description In GraphQL: `PublicOrganization.events`, `Query.publicEvents`.
         */
        get: operations["listPublicEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/events/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `PublicOrganization.events`, `Query.publicEvents`.
         */
        post: operations["queryPublicEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/events/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `PublicOrganization.events.totalCount`, `Query.publicEvents.totalCount`.
         */
        get: operations["countPublicEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/events/{event}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A public event, by its id, its slug or a former slug.
         * @description In GraphQL: `Query.publicEvent`, `Query.publicEventBySlug`.
         */
        get: operations["getPublicEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/events/{event}/form": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The current form of a public event.
         * @description In GraphQL: `PublicEvent.form`.
         */
        get: operations["getPublicEventForm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/organizations/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An organization as its public page shows it.
         * @description In GraphQL: `Query.publicOrganization`.
         */
        get: operations["getPublicOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/events/{event}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a mail with a link that confirms a subscription; always `true`, so that it does not reveal who owns the address.
         * @description Only in REST: guests have no access token, only the link in their mail.
         */
        post: operations["requestGuestSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/subscriptions/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates the subscription that the mail was requested for, with the answers of that request or of this one. The first link that is used counts; all other links of the address for the event then expire.
         * @description Only in REST: guests have no access token, only the link in their mail.
         */
        post: operations["confirmGuestSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/subscriptions/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The subscription that a link from a mail leads to; for a confirmation link, the subscription that it would create (`status` is null).
         * @description Only in REST: guests have no access token, only the link in their mail.
         */
        post: operations["lookUpSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/subscriptions/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the answers of the subscription that a link from a mail leads to.
         * @description Only in REST: guests have no access token, only the link in their mail.
         */
        post: operations["changeOwnAnswers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/subscriptions/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels the subscription that a link from a mail leads to.
         * @description Only in REST: guests have no access token, only the link in their mail.
         */
        post: operations["cancelOwnSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/subscriptions/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erases everything that is kept about the guest to whom the link was mailed, in every organization; for people without an account.
         * @description Only in REST: guests have no access token, only the link in their mail.
         */
        post: operations["eraseGuest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the webhooks of the organization, oldest first; for owners.
         * @description In GraphQL: `Organization.webhooks`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Creates a webhook, to which changes of the organization are sent; for owners. Shows its secret only once.
         * @description In GraphQL: `Mutation.createWebhook`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `Organization.webhooks`.
         */
        post: operations["queryWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `Organization.webhooks.totalCount`.
         */
        get: operations["countWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One webhook; for owners.
         * @description In GraphQL: `Query.node`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Deletes a webhook with everything that waits, and its log; for owners.
         * @description In GraphQL: `Mutation.deleteWebhook`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Changes a webhook, pauses it, or makes it active again; absent fields keep their values. For owners; keys that run webhooks can send `status` alone.
         * @description In GraphQL: `Mutation.updateWebhook`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{webhook}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a webhook a new secret, shown only once; the old one also signs for 24 hours. For owners.
         * @description In GraphQL: `Mutation.rotateWebhookSecret`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a `ping` to the webhook now, whatever its status, and returns the response; for owners.
         * @description In GraphQL: `Mutation.testWebhook`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Moves the webhook back in the log of changes, so that what follows is sent again; for owners.
         * @description In GraphQL: `Mutation.replayWebhook`.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the attempts to deliver changes to a webhook, oldest first; for owners.
         * @description In GraphQL: `Webhook.deliveries`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}/deliveries/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same list, with the parameters in the body: for filters that are too long for a URL.
         * @description In GraphQL: `Webhook.deliveries`.
         */
        post: operations["queryWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}/deliveries/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the items of the list.
         * @description In GraphQL: `Webhook.deliveries.totalCount`.
         */
        get: operations["countWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}/deliveries/{delivery}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resends the change of this attempt now; for owners and keys that run webhooks.
         * @description In GraphQL: `Mutation.retryWebhookDelivery`.
         */
        post: operations["retryWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A change of an event. */
        post: operations["receiveEventChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    form: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A change of a form. */
        post: operations["receiveFormChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    subscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A change of a subscription. */
        post: operations["receiveSubscriptionChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The message of `POST /webhooks/{webhook}/test`. */
        post: operations["receivePing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AcceptInvitation: {
            /** @description The token from the link in the mail. */
            token: string;
        };
        /** @description This subscription is already checked in. */
        AlreadyCheckedInProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "ALREADY_CHECKED_IN";
        };
        /** @description This user already has a subscription to the event. */
        AlreadySubscribedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "ALREADY_SUBSCRIBED";
        };
        ApiKey: {
            /**
             * Format: uuid
             * @description Identifier of the key, and of its user.
             */
            id: string;
            /** @description Name, 1 to 100 characters. */
            name: string;
            /**
             * @description The role of the key in the organization.
             * @enum {string}
             */
            role: "member" | "manager";
            /**
             * @description Whether the key only reads, or also writes.
             * @enum {string}
             */
            access: "read" | "write";
            /** @description Whether the key may read and run webhooks, whatever its role. */
            webhooks: boolean;
            /** @description The first 12 characters of the secret. */
            prefix: string;
            /**
             * Format: uuid
             * @description The user who created the key.
             */
            created_by: string;
            /**
             * Format: date-time
             * @description When the key was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its name was last changed.
             */
            updated_at: string;
            /** @description When the key expires; null for never. */
            expires_at: string | null;
            /** @description When the key was last used, exact to a minute; null for never. */
            last_used_at: string | null;
        };
        ApiKeyList: {
            items: components["schemas"]["ApiKey"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        AuditEntry: {
            /**
             * Format: uuid
             * @description Identifier of the entry.
             */
            id: string;
            /**
             * @description What was done, for example `session.started`.
             * @enum {string}
             */
            action: "api_key.changed" | "api_key.created" | "api_key.ended" | "calendar.ended" | "calendar.renewed" | "event.changed" | "event.created" | "event.deleted" | "events.exported" | "invitation.accepted" | "invitation.created" | "invitation.revoked" | "keys.revoked" | "member.joined" | "member.left" | "member.removed" | "member.role_changed" | "organization.changed" | "organization.created" | "organization.exported" | "password.changed" | "password.refused" | "profile.changed" | "session.ended" | "session.refresh_reused" | "session.refused" | "session.started" | "subscriptions.created" | "subscriptions.exported" | "user.erased" | "user.exported" | "user.password_reset" | "user.password_reset_requested" | "user.signed_up" | "user.signup_refused" | "user.verification_requested" | "user.verified" | "webhook.changed" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.replayed" | "webhook.secret_changed";
            /** @description The user who did it; null if nobody was signed in. */
            actor_id: string | null;
            /** @description The subject of the entry: the user whose account, session or membership it concerns, or the event, form (the id is that of its event), subscription, API key or webhook. */
            subject_id: string | null;
            /** @description Further details; never a password or token. */
            detail: {
                [key: string]: unknown;
            } | null;
            /** @description The IP address of the client. */
            ip: string | null;
            /** @description The `User-Agent` header of the client. */
            user_agent: string | null;
            /** @description The `x-request-id` of the response. */
            request_id: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
        };
        AuditEntryList: {
            items: components["schemas"]["AuditEntry"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        /**
         * @description Only if `fields` names it: what would happen to a new subscription of the viewer now.
         * @enum {string}
         */
        Availability: "open" | "approval" | "waiting_list" | "full" | "closed";
        /** @description Why one item was refused. */
        BulkIssue: {
            /** @description JSON pointer (RFC 6901) to the invalid value; empty for the whole input. */
            pointer: string;
            /** @enum {string} */
            code: "INVALID_CREDENTIALS" | "INVALID_QUERY" | "INVALID_CURSOR" | "INVALID_JSON" | "VALIDATION_ERROR" | "WEAK_PASSWORD" | "ORGANIZATION_REQUIRED" | "INVALID_RESET_TOKEN" | "INVALID_VERIFICATION_TOKEN" | "INVALID_INVITATION_TOKEN" | "INVALID_TOKEN" | "TOKEN_NOT_FOUND" | "USER_NOT_VERIFIED" | "FORBIDDEN" | "ORGANIZATION_FORBIDDEN" | "CROSS_SITE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "INVALID_TRANSITION" | "EVENT_FULL" | "REGISTRATION_CLOSED" | "SUBSCRIPTION_DECLINED" | "ALREADY_SUBSCRIBED" | "ALREADY_CHECKED_IN" | "CURSOR_EXPIRED" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMITED" | "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE";
            detail: string;
            /** @description What is wrong with the values of the item. */
            errors?: components["schemas"]["Issue"][];
        };
        BulkSubscriptions: {
            items: components["schemas"]["Subscription"][];
            errors: components["schemas"]["BulkIssue"][];
        };
        CalendarAddress: {
            /** Format: uri */
            url: string;
        };
        CancelOwnSubscription: {
            /** @description The token from the link in a mail. */
            token: string;
        };
        Change: {
            /**
             * Format: uuid
             * @description The id of the change, a UUIDv7.
             */
            id: string;
            /**
             * @description What changed.
             * @enum {string}
             */
            kind: "event" | "form" | "subscription";
            /**
             * @description `hidden`: it left what you may see. `refetch`: too much of this kind changed to be listed; read the lists again.
             * @enum {string}
             */
            op: "created" | "changed" | "deleted" | "hidden" | "refetch";
            /** @description The event, also for its form; the subscription; null for `refetch`. */
            object_id: string | null;
            event_id: string | null;
            /** @description The version of the event or form after the change; null for others, and if it is gone. */
            version: number | null;
            /** @description Who did it; null if nobody did, as when the waiting list moves. */
            actor_id: string | null;
            /**
             * Format: date-time
             * @description When it happened. Use the order of the log, not this, to sort.
             */
            occurred_at: string;
            /** @description With `include=object`: the event, also for its form, or the subscription as it is now; null if it is gone or hidden, and for `refetch`. */
            object?: (components["schemas"]["Event"] | components["schemas"]["Subscription"]) | null;
        };
        ChangeList: {
            items: components["schemas"]["Change"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether there are more changes behind `next` now; exact. */
            has_more: boolean;
            /** @description Cursor to read on from, also when nothing is there yet. */
            next: string;
            prev: null;
        };
        ChangeMemberRole: {
            /**
             * @description The new role.
             * @enum {string}
             */
            role: "owner" | "manager" | "member";
        };
        ChangeOrganization: {
            /** @description Name, 1 to 200 characters. */
            name?: string;
            /**
             * @description Who may join by sign-up.
             * @enum {string}
             */
            signup?: "open" | "invite";
            /** @description The description on its public page: Markdown, up to 20,000 characters; null for nothing. */
            description?: string | null;
            /** @description Its own site, an http or https URL; null for none. */
            website?: string | null;
            /** @description The address that its public pages show for questions; null for none. */
            contact_email?: string | null;
            /** @description The colour of its public pages, `#rrggbb`, with a contrast of at least 4.5 to white; null for ours. */
            accent?: string | null;
        };
        ChangeOwnAnswers: {
            /** @description The token from the link in a mail. */
            token: string;
            answers: unknown | null;
            /** @description The version of the form that the answers are for; refused if it is not the current one. */
            form_version?: number;
        };
        ChangePassword: {
            /** @description The current password. */
            current_password: string;
            /** @description The new password, 8 to 256 characters. */
            password: string;
        };
        ChangesQuery: {
            /** @description Cursor taken from `next`. */
            token?: string;
            /**
             * @description Where to begin without `token`.
             * @enum {string}
             */
            since?: "start" | "now";
            /** @description Names of the kinds to return, separated by a space; all if absent. */
            kinds?: string;
            /** @description Items per page; 1 to 50, anything else is 50. */
            limit?: number;
            /** @description Seconds to hold back an empty page. */
            wait?: number;
            /** @description `object`: each change has its object as it is now. */
            include?: string;
        };
        ConfirmedSubscription: {
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
        };
        /** @description The request conflicts with the current state. */
        ConflictProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "CONFLICT";
        };
        CreateApiKey: {
            /** @description Name, 1 to 100 characters. */
            name: string;
            /**
             * @description The role of the key in the organization.
             * @enum {string}
             */
            role: "member" | "manager";
            /**
             * @description Whether the key only reads, or also writes. If absent: `"read"`.
             * @enum {string}
             */
            access?: "read" | "write";
            /** @description Whether the key may read and run webhooks, whatever its role; needs `access` to write. If absent: `false`. */
            webhooks?: boolean;
            /** @description When the key expires; null for never. */
            expires_at?: string | null;
        };
        CreateEvent: {
            /** @description Name, 1 to 200 characters. */
            name: string;
            /** @description Name in links: `a-z`, `0-9` and single hyphens, at most 80 characters. Made from the name if absent. */
            slug?: string;
            /** @description Description, up to 20,000 characters; null for none. If absent: `null`. */
            description?: string | null;
            /**
             * @description The status of the new event: draft or active. `0` is draft, `1` is active. If absent: `0`.
             * @enum {integer}
             */
            status?: 0 | 1;
            /**
             * Format: date-time
             * @description When the event starts.
             */
            date_start: string;
            /**
             * Format: date-time
             * @description When the event ends; not before it starts.
             */
            date_end: string;
            /** @description IANA time zone for display and calendars. */
            timezone?: string;
            /** @description Where the event takes place, 1 to 500 characters; null for none. If absent: `null`. */
            location?: string | null;
            /** @description The maximum number of accepted subscriptions, 0 to 1,000,000; null for unlimited. If absent: `null`. */
            capacity?: number | null;
            /**
             * @description Who may see the event. If absent: `"organization"`.
             * @enum {string}
             */
            visibility?: "public" | "organization";
            /**
             * @description Whether a new subscription is accepted, pending or refused. If absent: `"open"`.
             * @enum {string}
             */
            registration?: "open" | "approval" | "closed";
            /** @description Whether people can wait for a place when the event is full. If absent: `true`. */
            waiting_list?: boolean;
        };
        CreateOrganization: {
            /** @description Name, 1 to 200 characters. */
            name: string;
        };
        CreateWebhook: {
            /** @description Where changes are sent: an absolute https URL. */
            url: string;
            /** @description The kinds of changes; all if absent. */
            kinds?: ("event" | "form" | "subscription")[];
            /** @description Its purpose. If absent: `""`. */
            description?: string;
            /**
             * @description Where to begin: with what changes from now on, or with everything that is kept. If absent: `"now"`.
             * @enum {string}
             */
            since?: "start" | "now";
        };
        CreatedWebhook: {
            /**
             * Format: uuid
             * @description Identifier of the webhook.
             */
            id: string;
            /** @description Where changes are sent. */
            url: string;
            /** @description The kinds of changes that are sent. */
            kinds: ("event" | "form" | "subscription")[];
            /** @description Its purpose, in the words of the owners. */
            description: string;
            /**
             * @description Whether it sends: `paused` by hand, `disabled` by failures.
             * @enum {string}
             */
            status: "active" | "paused" | "disabled";
            /** @description Why it is disabled, in words. */
            status_reason: string | null;
            /** @description How many changes are not delivered yet, counted to 1000. */
            pending: number;
            /**
             * Format: uuid
             * @description The user who created it.
             */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When an owner last changed it.
             */
            updated_at: string;
            /** @description When a change was last delivered. */
            last_success_at: string | null;
            /** @description When an attempt last failed. */
            last_failure_at: string | null;
            /** @description Signs the deliveries. Shown only once. */
            secret: string;
        };
        Credentials: {
            /** @description The JWT to send as `Authorization: Bearer …`. */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description When the access token expires, in Unix milliseconds. */
            expires: number;
            /** @description For information only: it cannot be used. `POST /auth/refresh` accepts only the signed cookie `token`, which the response sets; a browser sends it automatically. */
            refresh_token: string;
        };
        /** @description This request came from another site. */
        CrossSiteProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 403;
            /** @constant */
            code: "CROSS_SITE";
        };
        /** @description The cursor leads to changes that are not available. */
        CursorExpiredProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 410;
            /** @constant */
            code: "CURSOR_EXPIRED";
        };
        DeleteOrganization: {
            /** @description The name of the organization, exactly. */
            name: string;
        };
        DeleteOrganizationByPost: {
            /** @description The name of the organization, exactly. */
            name: string;
        };
        DuplicateEvent: {
            /** @description Name, 1 to 200 characters. */
            name?: string;
            /** @description Name in links: `a-z`, `0-9` and single hyphens, at most 80 characters. Made from the name if absent. */
            slug?: string;
            /** @description Description, up to 20,000 characters; null for none. */
            description?: string | null;
            /**
             * Format: date-time
             * @description When the event starts.
             */
            date_start?: string;
            /**
             * Format: date-time
             * @description When the event ends; not before it starts.
             */
            date_end?: string;
            /** @description IANA time zone for display and calendars. */
            timezone?: string;
            /** @description Where the event takes place, 1 to 500 characters; null for none. */
            location?: string | null;
            /** @description The maximum number of accepted subscriptions, 0 to 1,000,000; null for unlimited. */
            capacity?: number | null;
            /**
             * @description Who may see the event.
             * @enum {string}
             */
            visibility?: "public" | "organization";
            /**
             * @description Whether a new subscription is accepted, pending or refused.
             * @enum {string}
             */
            registration?: "open" | "approval" | "closed";
            /** @description Whether people can wait for a place when the event is full. */
            waiting_list?: boolean;
            /**
             * @description The status of the new event: draft or active. `0` is draft, `1` is active.
             * @enum {integer}
             */
            status?: 0 | 1;
        };
        EraseGuest: {
            /** @description The token from the link in a mail. */
            token: string;
        };
        EraseViewer: {
            /** @description The password of the account. */
            password: string;
        };
        EraseViewerByPost: {
            /** @description The password of the account. */
            password: string;
        };
        Event: {
            /**
             * Format: uuid
             * @description Identifier of the event.
             */
            id: string;
            /** @description Name, 1 to 200 characters. */
            name: string;
            /** @description Name in links, unique within the organization. */
            slug: string;
            /** @description Description, up to 20,000 characters. */
            description: string | null;
            /**
             * @description The status of the event. `0` is draft, `1` is active, `2` is cancelled, `3` is archived.
             * @enum {integer}
             */
            status: 0 | 1 | 2 | 3;
            /**
             * Format: date-time
             * @description When the event starts.
             */
            date_start: string;
            /**
             * Format: date-time
             * @description When the event ends; never before it starts.
             */
            date_end: string;
            /** @description IANA time zone for display and calendars. */
            timezone: string;
            /** @description Where the event takes place. */
            location: string | null;
            /** @description The maximum number of accepted subscriptions; null for unlimited. */
            capacity: number | null;
            /**
             * @description Who may see it; public events have a public page.
             * @enum {string}
             */
            visibility: "public" | "organization";
            /**
             * @description Whether a new subscription is accepted, pending or refused.
             * @enum {string}
             */
            registration: "open" | "approval" | "closed";
            /** @description Whether people can wait for a place when the event is full. */
            waiting_list: boolean;
            /** @description The number of accepted subscriptions; the same for every viewer. */
            accepted_count: number;
            /** @description Increases by one with each change of the event; subscriptions do not change it. */
            version: number;
            /**
             * Format: date-time
             * @description When the event was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the event was last changed.
             */
            updated_at: string;
            /** @description Only if `fields` names it: how many more subscriptions can be accepted; null without a capacity. */
            places_left?: number | null;
            /** @description Only if `fields` names it: the address of its public page; null while it has none. */
            url?: string | null;
            availability?: components["schemas"]["Availability"];
            /** @description Only if `fields` names it: how many subscriptions the event has; null unless the viewer is a manager or owner. */
            subscription_counts?: components["schemas"]["SubscriptionCounts"] | null;
            /** @description Only if `fields` names it: what the viewer can do with the event now. */
            viewer_can?: components["schemas"]["EventPermissions"];
        };
        /** @description The event has no free place. */
        EventFullProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "EVENT_FULL";
        };
        EventList: {
            items: components["schemas"]["Event"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        EventMessage: {
            /** @enum {string} */
            type: "event.created" | "event.changed" | "event.deleted" | "event.hidden" | "event.refetch";
            /**
             * Format: date-time
             * @description When the change happened.
             */
            timestamp: string;
            data: {
                /**
                 * Format: uuid
                 * @description The id of the change, a UUIDv7.
                 */
                id: string;
                /** @constant */
                kind: "event";
                /**
                 * @description `hidden`: it left what you may see. `refetch`: too much of this kind changed to be listed; read the lists again.
                 * @enum {string}
                 */
                op: "created" | "changed" | "deleted" | "hidden" | "refetch";
                /** @description The event, also for its form; the subscription; null for `refetch`. */
                object_id: string | null;
                event_id: string | null;
                /** @description The version of the event or form after the change; null for others, and if it is gone. */
                version: number | null;
                /** @description Who did it; null if nobody did, as when the waiting list moves. */
                actor_id: string | null;
                /**
                 * Format: date-time
                 * @description When it happened. Use the order of the log, not this, to sort.
                 */
                occurred_at: string;
                /** Format: uuid */
                organization_id: string;
            };
        };
        /** @description What the viewer can do now. */
        EventPermissions: {
            subscribe: components["schemas"]["Permission"];
            update: components["schemas"]["Permission"];
            cancel: components["schemas"]["Permission"];
            delete: components["schemas"]["Permission"];
        };
        /** @description You may not do this. */
        ForbiddenProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 403;
            /** @constant */
            code: "FORBIDDEN";
        };
        Form: {
            /** @description Increases by one with each change; 0 if there is no form. */
            version: number;
            /** @description The questions, up to 50, in order. */
            questions: components["schemas"]["Question"][];
        };
        FormMessage: {
            /** @enum {string} */
            type: "form.created" | "form.changed" | "form.deleted" | "form.hidden" | "form.refetch";
            /**
             * Format: date-time
             * @description When the change happened.
             */
            timestamp: string;
            data: {
                /**
                 * Format: uuid
                 * @description The id of the change, a UUIDv7.
                 */
                id: string;
                /** @constant */
                kind: "form";
                /**
                 * @description `hidden`: it left what you may see. `refetch`: too much of this kind changed to be listed; read the lists again.
                 * @enum {string}
                 */
                op: "created" | "changed" | "deleted" | "hidden" | "refetch";
                /** @description The event, also for its form; the subscription; null for `refetch`. */
                object_id: string | null;
                event_id: string | null;
                /** @description The version of the event or form after the change; null for others, and if it is gone. */
                version: number | null;
                /** @description Who did it; null if nobody did, as when the waiting list moves. */
                actor_id: string | null;
                /**
                 * Format: date-time
                 * @description When it happened. Use the order of the log, not this, to sort.
                 */
                occurred_at: string;
                /** Format: uuid */
                organization_id: string;
            };
        };
        GuestConfirmation: {
            /** @description The token from the link in a mail. */
            token: string;
            /** @description Answers to the event's form, keyed by question. */
            answers?: (({
                [key: string]: unknown;
            } | unknown | null) | null) | unknown | null;
            /** @description The version of the form that the answers are for; refused if it is not the current one. */
            form_version?: number;
        };
        GuestRequest: {
            /** @description Name of the person who subscribes, 1 to 200 characters. */
            name: string;
            /**
             * Format: email
             * @description The address that the mail with the confirmation link is sent to.
             */
            email: string;
            /** @description Answers to the event's form, keyed by question. */
            answers?: (({
                [key: string]: unknown;
            } | unknown | null) | null) | unknown | null;
            /** @description The version of the form that the answers are for; refused if it is not the current one. */
            form_version?: number;
        };
        /** @description This idempotency key was used for another request. */
        IdempotencyMismatchProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 422;
            /** @constant */
            code: "IDEMPOTENCY_MISMATCH";
        };
        /** @description Something went wrong on our side. */
        InternalServerErrorProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 500;
            /** @constant */
            code: "INTERNAL_SERVER_ERROR";
        };
        /** @description The e-mail address or the password is wrong. */
        InvalidCredentialsProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "INVALID_CREDENTIALS";
        };
        /** @description The cursor is not valid for this request. */
        InvalidCursorProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "INVALID_CURSOR";
        };
        /** @description The invitation token is not valid. */
        InvalidInvitationTokenProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "INVALID_INVITATION_TOKEN";
        };
        /** @description The body is not valid JSON. */
        InvalidJsonProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "INVALID_JSON";
        };
        /** @description The query is not valid. */
        InvalidQueryProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "INVALID_QUERY";
        };
        /** @description The reset token is not valid. */
        InvalidResetTokenProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "INVALID_RESET_TOKEN";
        };
        /** @description The access token is missing or not valid. */
        InvalidTokenProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 401;
            /** @constant */
            code: "INVALID_TOKEN";
        };
        /** @description This change of status is not possible. */
        InvalidTransitionProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "INVALID_TRANSITION";
        };
        /** @description The verification token is not valid. */
        InvalidVerificationTokenProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "INVALID_VERIFICATION_TOKEN";
        };
        Invitation: {
            /**
             * Format: uuid
             * @description Identifier of the invitation.
             */
            id: string;
            /** @description The invited e-mail address. */
            email: string;
            /**
             * @description The role that the invitation gives.
             * @enum {string}
             */
            role: "owner" | "manager" | "member";
            /** @description The user who sent the invitation. */
            inviter_id: string | null;
            /**
             * Format: date-time
             * @description When the invitation was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the invitation expires: after 7 days.
             */
            expires_at: string;
            /** @description When the mail was sent; null until then. */
            mailed_at: string | null;
        };
        InvitationList: {
            items: components["schemas"]["Invitation"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        InviteMember: {
            /**
             * Format: email
             * @description The invited e-mail address.
             */
            email: string;
            /**
             * @description The role that the invitation gives.
             * @enum {string}
             */
            role: "owner" | "manager" | "member";
        };
        /** @description What is wrong with the value at the pointer. */
        Issue: {
            /** @description JSON pointer (RFC 6901) to the invalid value; empty for the whole input. */
            pointer: string;
            /** @enum {string} */
            code: "INVALID_CREDENTIALS" | "INVALID_QUERY" | "INVALID_CURSOR" | "INVALID_JSON" | "VALIDATION_ERROR" | "WEAK_PASSWORD" | "ORGANIZATION_REQUIRED" | "INVALID_RESET_TOKEN" | "INVALID_VERIFICATION_TOKEN" | "INVALID_INVITATION_TOKEN" | "INVALID_TOKEN" | "TOKEN_NOT_FOUND" | "USER_NOT_VERIFIED" | "FORBIDDEN" | "ORGANIZATION_FORBIDDEN" | "CROSS_SITE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "INVALID_TRANSITION" | "EVENT_FULL" | "REGISTRATION_CLOSED" | "SUBSCRIPTION_DECLINED" | "ALREADY_SUBSCRIBED" | "ALREADY_CHECKED_IN" | "CURSOR_EXPIRED" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMITED" | "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE";
            detail: string;
        };
        JsonWebKeySet: {
            keys: {
                /** @constant */
                kty: "OKP";
                /** @constant */
                crv: "Ed25519";
                x: string;
                kid: string;
                /** @constant */
                alg: "EdDSA";
                /** @constant */
                use: "sig";
            }[];
        };
        /** @description What a link is for. `status` is null if using the link would create a subscription, with these answers. If the event is not public and the subscription is no longer live, `event` shows only `id`, `name`, `date_start`, `date_end` and `timezone`: `description` and `location` are null, `slug` is the `id`, `status` is 3, `registration` and `availability` are `closed`, and `updated_at` is that of the subscription. */
        LinkedSubscription: {
            event: components["schemas"]["PublicEvent"];
            status: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | null;
            /** @description The position on the waiting list, 1 is next; null unless `waitlisted`. */
            waiting_position: number | null;
            answers: {
                [key: string]: unknown;
            } | null;
        };
        ListQuery: {
            /** @description The filter. */
            where?: {
                [key: string]: unknown;
            };
            /** @description Items per page; 1 to 50, anything else is 50. */
            limit?: number;
            /** @description Cursor taken from `next` or `prev`. */
            token?: string;
            /**
             * Format: date-time
             * @description Where the first page begins, instead of a token.
             */
            from?: string;
            /**
             * @description 1 ascending (default), -1 descending.
             * @enum {integer}
             */
            sort?: 1 | -1;
            /** @description Names of the fields to return, separated by a space. */
            fields?: string;
            /** @description Names of the relations to include, separated by a space. */
            include?: string;
        };
        Login: {
            /** Format: email */
            email: string;
            password: string;
        };
        LookUpSubscription: {
            /** @description The token from the link in a mail. */
            token: string;
        };
        Member: {
            /**
             * Format: uuid
             * @description Identifier of the membership.
             */
            id: string;
            /**
             * Format: uuid
             * @description The user who belongs to the organization.
             */
            user_id: string;
            /**
             * @description The role of the user in the organization.
             * @enum {string}
             */
            role: "owner" | "manager" | "member";
            /**
             * Format: date-time
             * @description When the user joined.
             */
            created_at: string;
            /** @description With `include=user`. */
            user?: components["schemas"]["RelatedUser"];
        };
        MemberList: {
            items: components["schemas"]["Member"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        /** @description This method is not allowed here. */
        MethodNotAllowedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 405;
            /** @constant */
            code: "METHOD_NOT_ALLOWED";
        };
        NewApiKey: {
            /**
             * Format: uuid
             * @description Identifier of the key, and of its user.
             */
            id: string;
            /** @description Name, 1 to 100 characters. */
            name: string;
            /**
             * @description The role of the key in the organization.
             * @enum {string}
             */
            role: "member" | "manager";
            /**
             * @description Whether the key only reads, or also writes.
             * @enum {string}
             */
            access: "read" | "write";
            /** @description Whether the key may read and run webhooks, whatever its role. */
            webhooks: boolean;
            /** @description The first 12 characters of the secret. */
            prefix: string;
            /**
             * Format: uuid
             * @description The user who created the key.
             */
            created_by: string;
            /**
             * Format: date-time
             * @description When the key was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its name was last changed.
             */
            updated_at: string;
            /** @description When the key expires; null for never. */
            expires_at: string | null;
            /** @description When the key was last used, exact to a minute; null for never. */
            last_used_at: string | null;
            /** @description The secret that the machine signs in with. Shown only once. */
            secret: string;
        };
        /** @description The resource does not exist. */
        NotFoundProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 404;
            /** @constant */
            code: "NOT_FOUND";
        };
        Organization: {
            /**
             * Format: uuid
             * @description Identifier of the organization.
             */
            id: string;
            /** @description Name, 1 to 200 characters. */
            name: string;
            /** @description Name in links, unique. */
            slug: string;
            /**
             * @description Who may join by sign-up: anyone, or only people with an invitation.
             * @enum {string}
             */
            signup: "open" | "invite";
            /** @description The description on its public page: Markdown, up to 20,000 characters. */
            description: string | null;
            /** @description Its own site, an http or https URL. */
            website: string | null;
            /** @description The address that its public pages show for questions. */
            contact_email: string | null;
            /** @description The colour of its public pages, `#rrggbb` in lower case; null for ours. */
            accent: string | null;
            /** @description Increases by one with each change of the organization. */
            version: number;
            /**
             * @description The role of the viewer in the organization.
             * @enum {string}
             */
            role: "owner" | "manager" | "member";
            /**
             * Format: date-time
             * @description When the organization was created.
             */
            created_at: string;
        };
        /** @description You may not act in this organization. */
        OrganizationForbiddenProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 403;
            /** @constant */
            code: "ORGANIZATION_FORBIDDEN";
        };
        OrganizationList: {
            items: components["schemas"]["Organization"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        /** @description The header x-organization-id must name one organization by its id. */
        OrganizationRequiredProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "ORGANIZATION_REQUIRED";
        };
        OrganizationSubscriptionList: {
            items: components["schemas"]["Subscription"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        /** @description A subscription as its link shows it. If the event is not public and the subscription is no longer live, `event` shows only `id`, `name`, `date_start`, `date_end` and `timezone`: `description` and `location` are null, `slug` is the `id`, `status` is 3, `registration` and `availability` are `closed`, and `updated_at` is that of the subscription. */
        OwnSubscription: {
            event: components["schemas"]["PublicEvent"];
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
            /** @description The position on the waiting list, 1 is next; null unless `waitlisted`. */
            waiting_position: number | null;
            answers: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The request is too large. */
        PayloadTooLargeProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 413;
            /** @constant */
            code: "PAYLOAD_TOO_LARGE";
        };
        Permission: {
            /** @description Whether an otherwise correct request would succeed now. */
            allowed: boolean;
            /** @description The code of the error that it would get; null if it is allowed. */
            code: ("INVALID_CREDENTIALS" | "INVALID_QUERY" | "INVALID_CURSOR" | "INVALID_JSON" | "VALIDATION_ERROR" | "WEAK_PASSWORD" | "ORGANIZATION_REQUIRED" | "INVALID_RESET_TOKEN" | "INVALID_VERIFICATION_TOKEN" | "INVALID_INVITATION_TOKEN" | "INVALID_TOKEN" | "TOKEN_NOT_FOUND" | "USER_NOT_VERIFIED" | "FORBIDDEN" | "ORGANIZATION_FORBIDDEN" | "CROSS_SITE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "INVALID_TRANSITION" | "EVENT_FULL" | "REGISTRATION_CLOSED" | "SUBSCRIPTION_DECLINED" | "ALREADY_SUBSCRIBED" | "ALREADY_CHECKED_IN" | "CURSOR_EXPIRED" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMITED" | "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE") | null;
        };
        PingMessage: {
            /** @constant */
            type: "ping";
            /** Format: date-time */
            timestamp: string;
            data: Record<string, never>;
        };
        /** @description A precondition of the request is not met. */
        PreconditionFailedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 412;
            /** @constant */
            code: "PRECONDITION_FAILED";
        };
        /** @description RFC 9457. Clients switch on `code`. */
        Problem: {
            /**
             * Format: uri
             * @description The address of a page about the code.
             */
            type: string;
            title: string;
            status: number;
            detail?: string;
            /** @enum {string} */
            code: "INVALID_CREDENTIALS" | "INVALID_QUERY" | "INVALID_CURSOR" | "INVALID_JSON" | "VALIDATION_ERROR" | "WEAK_PASSWORD" | "ORGANIZATION_REQUIRED" | "INVALID_RESET_TOKEN" | "INVALID_VERIFICATION_TOKEN" | "INVALID_INVITATION_TOKEN" | "INVALID_TOKEN" | "TOKEN_NOT_FOUND" | "USER_NOT_VERIFIED" | "FORBIDDEN" | "ORGANIZATION_FORBIDDEN" | "CROSS_SITE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "INVALID_TRANSITION" | "EVENT_FULL" | "REGISTRATION_CLOSED" | "SUBSCRIPTION_DECLINED" | "ALREADY_SUBSCRIBED" | "ALREADY_CHECKED_IN" | "CURSOR_EXPIRED" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMITED" | "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE";
            request_id: string;
            errors?: components["schemas"]["Issue"][];
        };
        Profile: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string;
            organizations: {
                /** Format: uuid */
                id: string;
                name: string;
                slug: string;
                /** @enum {string} */
                role: "owner" | "manager" | "member";
            }[];
        };
        PublicEvent: {
            /**
             * Format: uuid
             * @description Identifier of the event.
             */
            id: string;
            /** @description Name, 1 to 200 characters. */
            name: string;
            /** @description Name in links, unique within the organization. */
            slug: string;
            /** @description Description, up to 20,000 characters. */
            description: string | null;
            /**
             * @description Active or cancelled; no other event is public. `0` is draft, `1` is active, `2` is cancelled, `3` is archived.
             * @enum {integer}
             */
            status: 0 | 1 | 2 | 3;
            /**
             * Format: date-time
             * @description When the event starts.
             */
            date_start: string;
            /**
             * Format: date-time
             * @description When the event ends; never before it starts.
             */
            date_end: string;
            /** @description IANA time zone for display and calendars. */
            timezone: string;
            /** @description Where the event takes place. */
            location: string | null;
            /**
             * @description Whether a new subscription is accepted, pending or refused.
             * @enum {string}
             */
            registration: "open" | "approval" | "closed";
            /**
             * Format: date-time
             * @description When the event was last changed.
             */
            updated_at: string;
            /**
             * @description What would happen to a new subscription now: it would be accepted, pending, on the waiting list, or refused because the event is full or closed.
             * @enum {string}
             */
            availability: "open" | "approval" | "waiting_list" | "full" | "closed";
            /** @description Only if `fields` names it: how many more subscriptions can be accepted; null without a capacity. */
            places_left?: number | null;
            /** @description Only if `fields` names it: the address of its public page. */
            url?: string;
        };
        PublicEventList: {
            items: components["schemas"]["PublicEvent"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        PublicOrganization: {
            /** @description Name, 1 to 200 characters. */
            name: string;
            /** @description Name in links, unique. */
            slug: string;
            /** @description The description on its public page: Markdown, up to 20,000 characters. */
            description: string | null;
            /** @description Its own site, an http or https URL. */
            website: string | null;
            /** @description The address that its public pages show for questions. */
            contact_email: string | null;
            /** @description The colour of its public pages, `#rrggbb` in lower case; null for ours. */
            accent: string | null;
            /**
             * Format: uri
             * @description The address of its public page.
             */
            url: string;
        };
        Question: {
            /** @description The key of the answer; unique in the form. */
            key: string;
            /**
             * @description The type of the answer.
             * @enum {string}
             */
            type: "text" | "long_text" | "number" | "date" | "choice" | "choices" | "consent" | "email" | "url";
            /** @description The question, as shown to people. */
            label: string;
            /** @description A hint shown with the question. */
            help?: string;
            /** @description Whether it must be answered; false if absent. */
            required?: boolean;
            /** @description The options to choose from; only for questions with a choice. */
            options?: {
                /** @description What answers contain; unique in the question. */
                value: string;
                /** @description The option, as shown to people. */
                label: string;
            }[];
            /** @description The least number of characters or chosen options, the least number, or the earliest date. */
            min?: number | string;
            /** @description The greatest number of characters or chosen options, the greatest number, or the latest date. */
            max?: number | string;
        };
        /** @description Too many requests. */
        RateLimitedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 429;
            /** @constant */
            code: "RATE_LIMITED";
        };
        /** @description The event does not accept subscriptions. */
        RegistrationClosedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "REGISTRATION_CLOSED";
        };
        RelatedUser: {
            /** Format: uuid */
            id: string;
            /** @description The account's name; null if the user is only a guest in the organization. */
            name: string | null;
            avatar_url: string | null;
            /** @description Only for managers and owners; null without one. */
            email?: string | null;
        };
        RemoveMember: {
            /** @description Whether the answers that the member gave in the organization are erased; false if absent. */
            erase_answers?: boolean;
        };
        ReplayWebhook: {
            /** @description A time, or `start` for everything that is kept. */
            since: string;
        };
        RequestEmailVerification: {
            /** Format: email */
            email: string;
        };
        RequestPasswordReset: {
            /** Format: email */
            email: string;
        };
        ResetPassword: {
            token: string;
            password: string;
        };
        /** @description The service is not available right now. */
        ServiceUnavailableProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 503;
            /** @constant */
            code: "SERVICE_UNAVAILABLE";
        };
        Session: {
            /**
             * Format: uuid
             * @description Identifier of the session.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the user signed in.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the session was last refreshed; it ends after 30 days without a refresh.
             */
            last_used_at: string;
            /**
             * Format: date-time
             * @description When the session ends at the latest.
             */
            expires_at: string;
            /** @description The IP address that the user signed in from. */
            ip: string | null;
            /** @description The `User-Agent` header of the client. */
            user_agent: string | null;
            /** @description Whether this request belongs to the session. */
            current: boolean;
        };
        SessionList: {
            items: components["schemas"]["Session"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        SetEventForm: {
            /** @description The questions, up to 50, in order. */
            questions: components["schemas"]["Question"][];
        };
        SignUp: {
            /** Format: email */
            email: string;
            password: string;
            name: string;
            organization_name?: string;
        };
        Subscribe: {
            /** @description The user to subscribe, for managers; the viewer if absent. */
            user_id?: string;
            /**
             * @description The initial status, for managers; if absent, the event's registration decides.
             * @enum {string}
             */
            status?: "pending" | "accepted" | "waitlisted";
            /** @description Answers to the event's form, keyed by question. */
            answers?: (({
                [key: string]: unknown;
            } | unknown | null) | null) | unknown | null;
            /** @description The version of the form that the answers are for; refused if it is not the current one. */
            form_version?: number;
            /** @description For managers: whether the holder gets a mail; true if absent. */
            notify?: boolean;
        };
        SubscribeUsers: {
            /** @description 1 to 100 subscriptions, of different users. */
            items: {
                /** @description The member to subscribe. */
                user_id: string;
                /**
                 * @description The initial status, for managers; if absent, the event's registration decides.
                 * @enum {string}
                 */
                status?: "pending" | "accepted" | "waitlisted";
                /** @description Answers to the event's form, keyed by question. */
                answers?: (({
                    [key: string]: unknown;
                } | unknown | null) | null) | unknown | null;
                /** @description The version of the form that the answers are for; refused if it is not the current one. */
                form_version?: number;
            }[];
            /** @description Whether the holders get a mail; true if absent. */
            notify?: boolean;
        };
        Subscription: {
            /**
             * Format: uuid
             * @description Identifier of the subscription.
             */
            id: string;
            /**
             * Format: uuid
             * @description The event of the subscription.
             */
            event_id: string;
            /**
             * Format: uuid
             * @description The user who subscribed.
             */
            user_id: string;
            /** @description Name of the attendee: the one given with the subscription, otherwise that of the account. */
            attendee_name: string;
            /**
             * @description The status of the subscription.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
            /** @description Answers to the event's form. */
            answers: {
                [key: string]: unknown;
            } | null;
            /** @description The version of the form that the answers are for; null without answers. */
            form_version: number | null;
            /** @description When the subscription entered the waiting list; null if it is not on the list. */
            waiting_since: string | null;
            /** @description When the user was checked in; null if not checked in. */
            checked_in_at: string | null;
            /**
             * Format: date-time
             * @description When the subscription was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the subscription was last changed.
             */
            updated_at: string;
            /** @description Only if `fields` names it: the position on the waiting list, 1 is next; null unless `waitlisted`. */
            waiting_position?: number | null;
            /** @description Only if `fields` names it: what the viewer can do with the subscription now. */
            viewer_can?: components["schemas"]["SubscriptionPermissions"];
            /** @description With `include=user`. */
            user?: components["schemas"]["RelatedUser"];
            /** @description With `include=event`. */
            event?: components["schemas"]["Event"];
        };
        SubscriptionChange: {
            /**
             * Format: uuid
             * @description Identifier of the entry.
             */
            id: string;
            /**
             * Format: uuid
             * @description The subscription that changed.
             */
            subscription_id: string;
            /**
             * @description What happened; only `status` changes the status.
             * @enum {string}
             */
            kind: "status" | "check_in" | "undo_check_in";
            /** @description The status before; null if the subscription was created. */
            status_from: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | null;
            /**
             * @description The status after.
             * @enum {string}
             */
            status_to: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
            /** @description The user who did it; null if the waiting list moved up. */
            actor_id: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
        };
        SubscriptionChangeList: {
            items: components["schemas"]["SubscriptionChange"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        SubscriptionCounts: {
            pending: number;
            accepted: number;
            waitlisted: number;
            declined: number;
            cancelled: number;
            checked_in: number;
        };
        /** @description The subscription to this event was declined. */
        SubscriptionDeclinedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "SUBSCRIPTION_DECLINED";
        };
        SubscriptionList: {
            items: components["schemas"]["Subscription"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        SubscriptionMessage: {
            /** @enum {string} */
            type: "subscription.created" | "subscription.changed" | "subscription.deleted" | "subscription.hidden" | "subscription.refetch";
            /**
             * Format: date-time
             * @description When the change happened.
             */
            timestamp: string;
            data: {
                /**
                 * Format: uuid
                 * @description The id of the change, a UUIDv7.
                 */
                id: string;
                /** @constant */
                kind: "subscription";
                /**
                 * @description `hidden`: it left what you may see. `refetch`: too much of this kind changed to be listed; read the lists again.
                 * @enum {string}
                 */
                op: "created" | "changed" | "deleted" | "hidden" | "refetch";
                /** @description The event, also for its form; the subscription; null for `refetch`. */
                object_id: string | null;
                event_id: string | null;
                /** @description The version of the event or form after the change; null for others, and if it is gone. */
                version: number | null;
                /** @description Who did it; null if nobody did, as when the waiting list moves. */
                actor_id: string | null;
                /**
                 * Format: date-time
                 * @description When it happened. Use the order of the log, not this, to sort.
                 */
                occurred_at: string;
                /** Format: uuid */
                organization_id: string;
            };
        };
        /** @description What the viewer can do now. */
        SubscriptionPermissions: {
            cancel: components["schemas"]["Permission"];
            answer: components["schemas"]["Permission"];
            check_in: components["schemas"]["Permission"];
        };
        SubscriptionTransition: {
            items: components["schemas"]["Subscription"][];
            errors: components["schemas"]["Issue"][];
        };
        /** @description The signed cookie `token` is missing. */
        TokenNotFoundProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 401;
            /** @constant */
            code: "TOKEN_NOT_FOUND";
        };
        TransitionSubscriptions: {
            /** @description The ids of 1 to 100 different subscriptions. */
            ids: string[];
            /**
             * @description The new status.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
            /** @description Whether the holders get a mail; true if absent. */
            notify?: boolean;
        };
        /** @description The content type is not supported; send application/json. */
        UnsupportedMediaTypeProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 415;
            /** @constant */
            code: "UNSUPPORTED_MEDIA_TYPE";
        };
        UpdateApiKey: {
            /** @description Name, 1 to 100 characters. */
            name?: string;
        };
        UpdateEvent: {
            /** @description Name, 1 to 200 characters. */
            name?: string;
            /** @description Name in links: `a-z`, `0-9` and single hyphens, at most 80 characters. */
            slug?: string;
            /** @description Description, up to 20,000 characters; null for none. */
            description?: string | null;
            /**
             * Format: date-time
             * @description When the event starts.
             */
            date_start?: string;
            /**
             * Format: date-time
             * @description When the event ends; not before it starts.
             */
            date_end?: string;
            /** @description IANA time zone for display and calendars. */
            timezone?: string;
            /** @description Where the event takes place, 1 to 500 characters; null for none. */
            location?: string | null;
            /** @description The maximum number of accepted subscriptions, 0 to 1,000,000; null for unlimited. */
            capacity?: number | null;
            /**
             * @description Who may see the event.
             * @enum {string}
             */
            visibility?: "public" | "organization";
            /**
             * @description Whether a new subscription is accepted, pending or refused.
             * @enum {string}
             */
            registration?: "open" | "approval" | "closed";
            /** @description Whether people can wait for a place when the event is full. */
            waiting_list?: boolean;
            /**
             * @description The new status. Possible changes: from draft to active or archived; from active to draft (without subscriptions), cancelled, or archived; from cancelled to active or archived; from archived to draft (without subscriptions) or active. `0` is draft, `1` is active, `2` is cancelled, `3` is archived.
             * @enum {integer}
             */
            status?: 0 | 1 | 2 | 3;
            /** @description Whether subscribers get a mail about the change; true if absent. */
            notify?: boolean;
        };
        UpdateProfile: {
            /** @description Name, 1 to 200 characters. */
            name: string;
        };
        UpdateSubscription: {
            /**
             * @description The new status. A manager moves it from pending to accepted, waitlisted, declined, cancelled; accepted to pending, waitlisted, declined, cancelled; waitlisted to pending, accepted, declined, cancelled; declined to pending, accepted, waitlisted; cancelled to pending, accepted, waitlisted. Its holder moves it from pending to cancelled; accepted to cancelled; waitlisted to cancelled.
             * @enum {string}
             */
            status?: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
            /** @description Answers to the event's form, keyed by question. */
            answers?: (({
                [key: string]: unknown;
            } | unknown | null) | null) | unknown | null;
            /** @description The version of the form that the answers are for; refused if it is not the current one. */
            form_version?: number;
            /** @description For managers: whether the holder gets a mail; true if absent. */
            notify?: boolean;
        };
        UpdateWebhook: {
            /** @description Where changes are sent: an absolute https URL. */
            url?: string;
            /** @description The kinds of changes that are sent. */
            kinds?: ("event" | "form" | "subscription")[];
            /** @description Its purpose. */
            description?: string;
            /**
             * @description `paused` stops sending; `active` goes on where it stopped.
             * @enum {string}
             */
            status?: "active" | "paused";
        };
        /** @description The e-mail address of this account is not verified yet. */
        UserNotVerifiedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 401;
            /** @constant */
            code: "USER_NOT_VERIFIED";
        };
        /** @description The request is not valid. */
        ValidationErrorProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "VALIDATION_ERROR";
        };
        VerifyEmail: {
            token: string;
        };
        WaitingMails: {
            /** @description The number of waiting mails to subscribers and guests; at most 20,000 are counted. */
            waiting: number;
            /** @description When the next of them can be sent; null if none is waiting. */
            next_at: string | null;
        };
        /** @description The password is too weak. */
        WeakPasswordProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "WEAK_PASSWORD";
        };
        Webhook: {
            /**
             * Format: uuid
             * @description Identifier of the webhook.
             */
            id: string;
            /** @description Where changes are sent. */
            url: string;
            /** @description The kinds of changes that are sent. */
            kinds: ("event" | "form" | "subscription")[];
            /** @description Its purpose, in the words of the owners. */
            description: string;
            /**
             * @description Whether it sends: `paused` by hand, `disabled` by failures.
             * @enum {string}
             */
            status: "active" | "paused" | "disabled";
            /** @description Why it is disabled, in words. */
            status_reason: string | null;
            /** @description How many changes are not delivered yet, counted to 1000. */
            pending: number;
            /**
             * Format: uuid
             * @description The user who created it.
             */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When an owner last changed it.
             */
            updated_at: string;
            /** @description When a change was last delivered. */
            last_success_at: string | null;
            /** @description When an attempt last failed. */
            last_failure_at: string | null;
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description Identifier of the attempt.
             */
            id: string;
            /**
             * Format: uuid
             * @description The change; `webhook-id` in each of its attempts.
             */
            change_id: string;
            /**
             * @description The type of the message, for example `event.changed`.
             * @enum {string}
             */
            type: "event.created" | "event.changed" | "event.deleted" | "event.refetch" | "form.created" | "form.changed" | "form.deleted" | "form.refetch" | "subscription.created" | "subscription.changed" | "subscription.deleted" | "subscription.refetch";
            /** @description Which attempt to deliver the change it was, from 1. */
            attempt: number;
            /**
             * @description Whether the endpoint answered with a status of 2xx in time.
             * @enum {string}
             */
            status: "succeeded" | "failed";
            /** @description The status of the answer; null if there was none. */
            http_status: number | null;
            /** @description What went wrong, in words; null if it succeeded. */
            error: string | null;
            /** @description The beginning of the answer, up to 1 KiB; null if there was none. */
            response: string | null;
            /** @description Milliseconds until the answer began, or until the attempt was given up. */
            duration_ms: number;
            /**
             * Format: date-time
             * @description When the attempt ended.
             */
            created_at: string;
            /** @description When the next attempt was due; null if there is no automatic one. */
            next_attempt_at: string | null;
        };
        WebhookDeliveryList: {
            items: components["schemas"]["WebhookDelivery"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        WebhookList: {
            items: components["schemas"]["Webhook"][];
            /** @description The number of items on this page. */
            length: number;
            /** @description Whether another page follows, in the order of this response; exact. */
            has_more: boolean;
            /** @description Cursor of the last item; null if `has_more` is false. */
            next: string | null;
            /** @description Cursor of the previous page; null if there is none. */
            prev: string | null;
        };
        WebhookSecret: {
            /** @description Signs the deliveries. Shown only once. */
            secret: string;
        };
        WebhookTest: {
            delivered: boolean;
            http_status: number | null;
            duration_ms: number;
            error: string | null;
        };
        SessionsWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            last_used_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            expires_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            $and?: components["schemas"]["SessionsWhere"][];
            $or?: components["schemas"]["SessionsWhere"][];
            $not?: components["schemas"]["SessionsWhere"];
        };
        OrganizationsWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            name?: string;
            slug?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            signup?: ("open" | "invite") | {
                /** @enum {string} */
                $eq?: "open" | "invite";
                /** @enum {string} */
                $ne?: "open" | "invite";
                $in?: ("open" | "invite")[];
            };
            role?: ("owner" | "manager" | "member") | {
                /** @enum {string} */
                $eq?: "owner" | "manager" | "member";
                /** @enum {string} */
                $ne?: "owner" | "manager" | "member";
                $in?: ("owner" | "manager" | "member")[];
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            $and?: components["schemas"]["OrganizationsWhere"][];
            $or?: components["schemas"]["OrganizationsWhere"][];
            $not?: components["schemas"]["OrganizationsWhere"];
        };
        MembersWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            user_id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            role?: ("owner" | "manager" | "member") | {
                /** @enum {string} */
                $eq?: "owner" | "manager" | "member";
                /** @enum {string} */
                $ne?: "owner" | "manager" | "member";
                $in?: ("owner" | "manager" | "member")[];
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            name?: string;
            email?: string | {
                $eq?: string;
            };
            $and?: components["schemas"]["MembersWhere"][];
            $or?: components["schemas"]["MembersWhere"][];
            $not?: components["schemas"]["MembersWhere"];
        };
        InvitationsWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            role?: ("owner" | "manager" | "member") | {
                /** @enum {string} */
                $eq?: "owner" | "manager" | "member";
                /** @enum {string} */
                $ne?: "owner" | "manager" | "member";
                $in?: ("owner" | "manager" | "member")[];
            };
            inviter_id?: (string | null) | {
                $eq?: string | null;
                $ne?: string | null;
                $in?: (string | null)[];
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            expires_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            mailed_at?: (string | null) | {
                $eq?: string | null;
                $gt?: string | null;
                $gte?: string | null;
                $lt?: string | null;
                $lte?: string | null;
                $ne?: string | null;
            };
            $and?: components["schemas"]["InvitationsWhere"][];
            $or?: components["schemas"]["InvitationsWhere"][];
            $not?: components["schemas"]["InvitationsWhere"];
        };
        ApiKeysWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            name?: string;
            role?: ("member" | "manager") | {
                /** @enum {string} */
                $eq?: "member" | "manager";
                /** @enum {string} */
                $ne?: "member" | "manager";
                $in?: ("member" | "manager")[];
            };
            access?: ("read" | "write") | {
                /** @enum {string} */
                $eq?: "read" | "write";
                /** @enum {string} */
                $ne?: "read" | "write";
                $in?: ("read" | "write")[];
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            updated_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            $and?: components["schemas"]["ApiKeysWhere"][];
            $or?: components["schemas"]["ApiKeysWhere"][];
            $not?: components["schemas"]["ApiKeysWhere"];
        };
        AuditEntriesWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            action?: ("api_key.changed" | "api_key.created" | "api_key.ended" | "calendar.ended" | "calendar.renewed" | "event.changed" | "event.created" | "event.deleted" | "events.exported" | "invitation.accepted" | "invitation.created" | "invitation.revoked" | "keys.revoked" | "member.joined" | "member.left" | "member.removed" | "member.role_changed" | "organization.changed" | "organization.created" | "organization.exported" | "password.changed" | "password.refused" | "profile.changed" | "session.ended" | "session.refresh_reused" | "session.refused" | "session.started" | "subscriptions.created" | "subscriptions.exported" | "user.erased" | "user.exported" | "user.password_reset" | "user.password_reset_requested" | "user.signed_up" | "user.signup_refused" | "user.verification_requested" | "user.verified" | "webhook.changed" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.replayed" | "webhook.secret_changed") | {
                /** @enum {string} */
                $eq?: "api_key.changed" | "api_key.created" | "api_key.ended" | "calendar.ended" | "calendar.renewed" | "event.changed" | "event.created" | "event.deleted" | "events.exported" | "invitation.accepted" | "invitation.created" | "invitation.revoked" | "keys.revoked" | "member.joined" | "member.left" | "member.removed" | "member.role_changed" | "organization.changed" | "organization.created" | "organization.exported" | "password.changed" | "password.refused" | "profile.changed" | "session.ended" | "session.refresh_reused" | "session.refused" | "session.started" | "subscriptions.created" | "subscriptions.exported" | "user.erased" | "user.exported" | "user.password_reset" | "user.password_reset_requested" | "user.signed_up" | "user.signup_refused" | "user.verification_requested" | "user.verified" | "webhook.changed" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.replayed" | "webhook.secret_changed";
                /** @enum {string} */
                $ne?: "api_key.changed" | "api_key.created" | "api_key.ended" | "calendar.ended" | "calendar.renewed" | "event.changed" | "event.created" | "event.deleted" | "events.exported" | "invitation.accepted" | "invitation.created" | "invitation.revoked" | "keys.revoked" | "member.joined" | "member.left" | "member.removed" | "member.role_changed" | "organization.changed" | "organization.created" | "organization.exported" | "password.changed" | "password.refused" | "profile.changed" | "session.ended" | "session.refresh_reused" | "session.refused" | "session.started" | "subscriptions.created" | "subscriptions.exported" | "user.erased" | "user.exported" | "user.password_reset" | "user.password_reset_requested" | "user.signed_up" | "user.signup_refused" | "user.verification_requested" | "user.verified" | "webhook.changed" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.replayed" | "webhook.secret_changed";
                $in?: ("api_key.changed" | "api_key.created" | "api_key.ended" | "calendar.ended" | "calendar.renewed" | "event.changed" | "event.created" | "event.deleted" | "events.exported" | "invitation.accepted" | "invitation.created" | "invitation.revoked" | "keys.revoked" | "member.joined" | "member.left" | "member.removed" | "member.role_changed" | "organization.changed" | "organization.created" | "organization.exported" | "password.changed" | "password.refused" | "profile.changed" | "session.ended" | "session.refresh_reused" | "session.refused" | "session.started" | "subscriptions.created" | "subscriptions.exported" | "user.erased" | "user.exported" | "user.password_reset" | "user.password_reset_requested" | "user.signed_up" | "user.signup_refused" | "user.verification_requested" | "user.verified" | "webhook.changed" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.replayed" | "webhook.secret_changed")[];
            };
            actor_id?: (string | null) | {
                $eq?: string | null;
                $ne?: string | null;
                $in?: (string | null)[];
            };
            subject_id?: (string | null) | {
                $eq?: string | null;
                $ne?: string | null;
                $in?: (string | null)[];
            };
            request_id?: (string | null) | {
                $eq?: string | null;
                $ne?: string | null;
                $in?: (string | null)[];
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            $and?: components["schemas"]["AuditEntriesWhere"][];
            $or?: components["schemas"]["AuditEntriesWhere"][];
            $not?: components["schemas"]["AuditEntriesWhere"];
        };
        EventsWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            name?: string;
            slug?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            status?: (0 | 1 | 2 | 3) | {
                /** @enum {integer} */
                $eq?: 0 | 1 | 2 | 3;
                /** @enum {integer} */
                $ne?: 0 | 1 | 2 | 3;
                $in?: (0 | 1 | 2 | 3)[];
            };
            date_start?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            date_end?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            capacity?: (number | null) | {
                $eq?: number | null;
                $ne?: number | null;
                $in?: (number | null)[];
                $gt?: number | null;
                $gte?: number | null;
                $lt?: number | null;
                $lte?: number | null;
            };
            visibility?: ("public" | "organization") | {
                /** @enum {string} */
                $eq?: "public" | "organization";
                /** @enum {string} */
                $ne?: "public" | "organization";
                $in?: ("public" | "organization")[];
            };
            registration?: ("open" | "approval" | "closed") | {
                /** @enum {string} */
                $eq?: "open" | "approval" | "closed";
                /** @enum {string} */
                $ne?: "open" | "approval" | "closed";
                $in?: ("open" | "approval" | "closed")[];
            };
            waiting_list?: boolean | {
                $eq?: boolean;
                $ne?: boolean;
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            updated_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            viewer_subscription?: (("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | null) | {
                $eq?: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | null;
                $ne?: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | null;
                $in?: (("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | null)[];
            };
            $and?: components["schemas"]["EventsWhere"][];
            $or?: components["schemas"]["EventsWhere"][];
            $not?: components["schemas"]["EventsWhere"];
        };
        SubscriptionsWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            user_id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            attendee_name?: string;
            status?: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | {
                /** @enum {string} */
                $eq?: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
                /** @enum {string} */
                $ne?: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
                $in?: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled")[];
            };
            checked_in_at?: (string | null) | {
                $eq?: string | null;
                $gt?: string | null;
                $gte?: string | null;
                $lt?: string | null;
                $lte?: string | null;
                $ne?: string | null;
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            updated_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            $and?: components["schemas"]["SubscriptionsWhere"][];
            $or?: components["schemas"]["SubscriptionsWhere"][];
            $not?: components["schemas"]["SubscriptionsWhere"];
        };
        OrganizationSubscriptionsWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            event_id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            user_id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            attendee_name?: string;
            status?: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | {
                /** @enum {string} */
                $eq?: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
                /** @enum {string} */
                $ne?: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
                $in?: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled")[];
            };
            checked_in_at?: (string | null) | {
                $eq?: string | null;
                $gt?: string | null;
                $gte?: string | null;
                $lt?: string | null;
                $lte?: string | null;
                $ne?: string | null;
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            updated_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            $and?: components["schemas"]["OrganizationSubscriptionsWhere"][];
            $or?: components["schemas"]["OrganizationSubscriptionsWhere"][];
            $not?: components["schemas"]["OrganizationSubscriptionsWhere"];
        };
        SubscriptionChangesWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            kind?: ("status" | "check_in" | "undo_check_in") | {
                /** @enum {string} */
                $eq?: "status" | "check_in" | "undo_check_in";
                /** @enum {string} */
                $ne?: "status" | "check_in" | "undo_check_in";
                $in?: ("status" | "check_in" | "undo_check_in")[];
            };
            status_from?: (("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | null) | {
                $eq?: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | null;
                $ne?: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | null;
                $in?: (("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | null)[];
            };
            status_to?: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled") | {
                /** @enum {string} */
                $eq?: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
                /** @enum {string} */
                $ne?: "pending" | "accepted" | "declined" | "waitlisted" | "cancelled";
                $in?: ("pending" | "accepted" | "declined" | "waitlisted" | "cancelled")[];
            };
            actor_id?: (string | null) | {
                $eq?: string | null;
                $ne?: string | null;
                $in?: (string | null)[];
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            $and?: components["schemas"]["SubscriptionChangesWhere"][];
            $or?: components["schemas"]["SubscriptionChangesWhere"][];
            $not?: components["schemas"]["SubscriptionChangesWhere"];
        };
        PublicEventsWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            name?: string;
            slug?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            status?: (0 | 1 | 2 | 3) | {
                /** @enum {integer} */
                $eq?: 0 | 1 | 2 | 3;
                /** @enum {integer} */
                $ne?: 0 | 1 | 2 | 3;
                $in?: (0 | 1 | 2 | 3)[];
            };
            date_start?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            date_end?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            updated_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            $and?: components["schemas"]["PublicEventsWhere"][];
            $or?: components["schemas"]["PublicEventsWhere"][];
            $not?: components["schemas"]["PublicEventsWhere"];
        };
        WebhooksWhere: {
            id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            status?: ("active" | "paused" | "disabled") | {
                /** @enum {string} */
                $eq?: "active" | "paused" | "disabled";
                /** @enum {string} */
                $ne?: "active" | "paused" | "disabled";
                $in?: ("active" | "paused" | "disabled")[];
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            updated_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            $and?: components["schemas"]["WebhooksWhere"][];
            $or?: components["schemas"]["WebhooksWhere"][];
            $not?: components["schemas"]["WebhooksWhere"];
        };
        WebhookDeliveriesWhere: {
            change_id?: string | {
                $eq?: string;
                $ne?: string;
                $in?: string[];
            };
            status?: ("succeeded" | "failed") | {
                /** @enum {string} */
                $eq?: "succeeded" | "failed";
                /** @enum {string} */
                $ne?: "succeeded" | "failed";
                $in?: ("succeeded" | "failed")[];
            };
            created_at?: string | {
                $eq?: string;
                $gt?: string;
                $gte?: string;
                $lt?: string;
                $lte?: string;
            };
            $and?: components["schemas"]["WebhookDeliveriesWhere"][];
            $or?: components["schemas"]["WebhookDeliveriesWhere"][];
            $not?: components["schemas"]["WebhookDeliveriesWhere"];
        };
    };
    responses: {
        /** @description `CONFLICT`: The request conflicts with the current state. */
        Conflict: {
            headers: {
                /** @description The seconds after which a retry may succeed; only if waiting helps. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConflictProblem"];
            };
        };
        /** @description `CROSS_SITE`: This request came from another site. */
        CrossSite: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CrossSiteProblem"];
            };
        };
        /** @description `CURSOR_EXPIRED`: The cursor leads to changes that are not available. */
        CursorExpired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CursorExpiredProblem"];
            };
        };
        /** @description `FORBIDDEN`: You may not do this. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenProblem"];
            };
        };
        /** @description `IDEMPOTENCY_MISMATCH`: This idempotency key was used for another request. */
        IdempotencyMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyMismatchProblem"];
            };
        };
        /** @description `INTERNAL_SERVER_ERROR`: Something went wrong on our side. */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalServerErrorProblem"];
            };
        };
        /** @description `INVALID_TOKEN`: The access token is missing or not valid. */
        InvalidToken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidTokenProblem"];
            };
        };
        /** @description `METHOD_NOT_ALLOWED`: This method is not allowed here. */
        MethodNotAllowed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["MethodNotAllowedProblem"];
            };
        };
        /** @description `NOT_FOUND`: The resource does not exist. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFoundProblem"];
            };
        };
        /** @description `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
        OrganizationForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenProblem"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The request is too large. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PayloadTooLargeProblem"];
            };
        };
        /** @description `PRECONDITION_FAILED`: A precondition of the request is not met. */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PreconditionFailedProblem"];
            };
        };
        /** @description `RATE_LIMITED`: Too many requests. */
        RateLimited: {
            headers: {
                /** @description The seconds after which a retry may succeed; only if waiting helps. */
                "Retry-After"?: number;
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RateLimitedProblem"];
            };
        };
        /** @description `REGISTRATION_CLOSED`: The event does not accept subscriptions. */
        RegistrationClosed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RegistrationClosedProblem"];
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: The service is not available right now. */
        ServiceUnavailable: {
            headers: {
                /** @description The seconds after which a retry may succeed; only if waiting helps. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ServiceUnavailableProblem"];
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The content type is not supported; send application/json. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The limits that the request was counted under: how many (`q`) in how many seconds (`w`). */
        "RateLimit-Policy": string;
        /** @description The remaining requests (`r`), and the seconds until the limit starts again (`t`). */
        RateLimit: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credentials"];
                };
            };
            /** @description `INVALID_CREDENTIALS`: The e-mail address or the password is wrong. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCredentialsProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            /** @description `INVALID_TOKEN`: The access token is missing or not valid. `USER_NOT_VERIFIED`: The e-mail address of this account is not verified yet. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["UserNotVerifiedProblem"];
                };
            };
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credentials"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            /** @description `INVALID_TOKEN`: The access token is missing or not valid. `TOKEN_NOT_FOUND`: The signed cookie `token` is missing. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenNotFoundProblem"];
                };
            };
            /** @description `CROSS_SITE`: This request came from another site. `FORBIDDEN`: You may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CrossSiteProblem"] | components["schemas"]["ForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            403: components["responses"]["CrossSite"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseViewer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EraseViewer"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_CREDENTIALS`: The e-mail address or the password is wrong. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCredentialsProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateProfile"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getJsonWebKeySet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonWebKeySet"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. `WEAK_PASSWORD`: The password is too weak. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"] | components["schemas"]["WeakPasswordProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    requestEmailVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RequestEmailVerification"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VerifyEmail"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `INVALID_VERIFICATION_TOKEN`: The verification token is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["InvalidVerificationTokenProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RequestPasswordReset"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `INVALID_RESET_TOKEN`: The reset token is not valid. `VALIDATION_ERROR`: The request is not valid. `WEAK_PASSWORD`: The password is too weak. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["InvalidResetTokenProblem"] | components["schemas"]["ValidationErrorProblem"] | components["schemas"]["WeakPasswordProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte), `last_used_at` ($eq $gt $gte $lt $lte), `expires_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["SessionsWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `created_at` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `created_at`, `last_used_at`, `expires_at`, `ip`, `user_agent`, `current`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "created_at" | "last_used_at" | "expires_at" | "ip" | "user_agent" | "current")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    querySessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["SessionsWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countSessions: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte), `last_used_at` ($eq $gt $gte $lt $lte), `expires_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["SessionsWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_CREDENTIALS`: The e-mail address or the password is wrong. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. `WEAK_PASSWORD`: The password is too weak. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCredentialsProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"] | components["schemas"]["WeakPasswordProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseViewerByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EraseViewerByPost"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_CREDENTIALS`: The e-mail address or the password is wrong. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCredentialsProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportPerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOwnOrganization: {
        parameters: {
            query?: {
                /** @description Fields to return, separated by a space: `id`, `name`, `slug`, `signup`, `description`, `website`, `contact_email`, `accent`, `version`, `role`, `created_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "name" | "slug" | "signup" | "description" | "website" | "contact_email" | "accent" | "version" | "role" | "created_at")[];
            };
            header?: never;
            path: {
                organization: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The version in double quotes, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeleteOrganization"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteOrganizationByPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeleteOrganizationByPost"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `name` (case-insensitive substring), `slug` ($eq $ne $in), `signup` ($eq $ne $in), `role` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["OrganizationsWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `created_at` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `name`, `slug`, `signup`, `description`, `website`, `contact_email`, `accent`, `version`, `role`, `created_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "name" | "slug" | "signup" | "description" | "website" | "contact_email" | "accent" | "version" | "role" | "created_at")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateOrganization"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The version in double quotes, for `If-Match`. */
                    ETag?: string;
                    /** @description The path of the created resource. */
                    Location?: string;
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryOrganizations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["OrganizationsWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countOrganizations: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `name` (case-insensitive substring), `slug` ($eq $ne $in), `signup` ($eq $ne $in), `role` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["OrganizationsWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWaitingMails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitingMails"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOrganization: {
        parameters: {
            query?: {
                /** @description Fields to return, separated by a space: `id`, `name`, `slug`, `signup`, `description`, `website`, `contact_email`, `accent`, `version`, `role`, `created_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "name" | "slug" | "signup" | "description" | "website" | "contact_email" | "accent" | "version" | "role" | "created_at")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The version in double quotes, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The change is refused unless the current version is one of these entity tags; `*` matches any. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeOrganization"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The version in double quotes, for `If-Match`. */
                    ETag?: string;
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `user_id` ($eq $ne $in), `role` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte), `name` (case-insensitive substring), `email` ($eq). Logic: $and, $or, $not. */
                where?: components["schemas"]["MembersWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `created_at` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `user_id`, `role`, `created_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "user_id" | "role" | "created_at")[];
                /** @description Relations to include, separated by a space: `user`. */
                include?: "user"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["MembersWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countMembers: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `user_id` ($eq $ne $in), `role` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte), `name` (case-insensitive substring), `email` ($eq). Logic: $and, $or, $not. */
                where?: components["schemas"]["MembersWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMember: {
        parameters: {
            query?: {
                /** @description Fields to return, separated by a space: `id`, `user_id`, `role`, `created_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "user_id" | "role" | "created_at")[];
                /** @description Relations to include, separated by a space: `user`. */
                include?: "user"[];
            };
            header?: never;
            path: {
                member: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: {
                /** @description The same as in the body, for clients and proxies that drop the body of a DELETE. */
                erase_answers?: boolean;
            };
            header?: never;
            path: {
                member: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RemoveMember"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeMemberRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                member: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeMemberRole"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `role` ($eq $ne $in), `inviter_id` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte), `expires_at` ($eq $gt $gte $lt $lte), `mailed_at` ($eq $gt $gte $lt $lte $ne). Logic: $and, $or, $not. */
                where?: components["schemas"]["InvitationsWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `created_at` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `email`, `role`, `inviter_id`, `created_at`, `expires_at`, `mailed_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "email" | "role" | "inviter_id" | "created_at" | "expires_at" | "mailed_at")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InviteMember"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path of the created resource. */
                    Location?: string;
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["InvitationsWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countInvitations: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `role` ($eq $ne $in), `inviter_id` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte), `expires_at` ($eq $gt $gte $lt $lte), `mailed_at` ($eq $gt $gte $lt $lte $ne). Logic: $and, $or, $not. */
                where?: components["schemas"]["InvitationsWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AcceptInvitation"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description `INVALID_INVITATION_TOKEN`: The invitation token is not valid. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidInvitationTokenProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getInvitation: {
        parameters: {
            query?: {
                /** @description Fields to return, separated by a space: `id`, `email`, `role`, `inviter_id`, `created_at`, `expires_at`, `mailed_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "email" | "role" | "inviter_id" | "created_at" | "expires_at" | "mailed_at")[];
            };
            header?: never;
            path: {
                invitation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `name` (case-insensitive substring), `role` ($eq $ne $in), `access` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["ApiKeysWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `created_at` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `name`, `role`, `access`, `webhooks`, `prefix`, `created_by`, `created_at`, `updated_at`, `expires_at`, `last_used_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "name" | "role" | "access" | "webhooks" | "prefix" | "created_by" | "created_at" | "updated_at" | "expires_at" | "last_used_at")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path of the created resource. */
                    Location?: string;
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["ApiKeysWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countApiKeys: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `name` (case-insensitive substring), `role` ($eq $ne $in), `access` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["ApiKeysWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: {
                /** @description Fields to return, separated by a space: `id`, `name`, `role`, `access`, `webhooks`, `prefix`, `created_by`, `created_at`, `updated_at`, `expires_at`, `last_used_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "name" | "role" | "access" | "webhooks" | "prefix" | "created_by" | "created_at" | "updated_at" | "expires_at" | "last_used_at")[];
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateApiKey"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `action` ($eq $ne $in), `actor_id` ($eq $ne $in), `subject_id` ($eq $ne $in), `request_id` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["AuditEntriesWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `created_at` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `action`, `actor_id`, `subject_id`, `detail`, `ip`, `user_agent`, `request_id`, `created_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "action" | "actor_id" | "subject_id" | "detail" | "ip" | "user_agent" | "request_id" | "created_at")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryAuditEntries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["AuditEntriesWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countAuditEntries: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `action` ($eq $ne $in), `actor_id` ($eq $ne $in), `subject_id` ($eq $ne $in), `request_id` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["AuditEntriesWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportEvents: {
        parameters: {
            query: {
                /** @description The format of the file: `csv` (RFC 4180, UTF-8 with a byte order mark) or `ndjson` (one item per line). */
                format: "csv" | "ndjson";
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `name` (case-insensitive substring), `slug` ($eq $ne $in), `status` ($eq $ne $in), `date_start` ($eq $gt $gte $lt $lte), `date_end` ($eq $gt $gte $lt $lte), `capacity` ($eq $ne $in $gt $gte $lt $lte), `visibility` ($eq $ne $in), `registration` ($eq $ne $in), `waiting_list` ($eq $ne), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte), `viewer_subscription` ($eq $ne $in). Logic: $and, $or, $not. */
                where?: components["schemas"]["EventsWhere"];
                /** @description `1` for ascending order, `-1` for descending. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `name`, `slug`, `description`, `status`, `date_start`, `date_end`, `timezone`, `location`, `capacity`, `visibility`, `registration`, `waiting_list`, `accepted_count`, `version`, `created_at`, `updated_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. Only if named: `places_left`, `url`, `availability`, `subscription_counts`. */
                fields?: ("id" | "name" | "slug" | "description" | "status" | "date_start" | "date_end" | "timezone" | "location" | "capacity" | "visibility" | "registration" | "waiting_list" | "accepted_count" | "version" | "created_at" | "updated_at" | "places_left" | "url" | "availability" | "subscription_counts")[];
                /** @description Unless `off`, a text in CSV that a spreadsheet would interpret as a formula is prefixed with `'`. */
                guard?: "on" | "off";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportSubscriptions: {
        parameters: {
            query: {
                /** @description The format of the file: `csv` (RFC 4180, UTF-8 with a byte order mark) or `ndjson` (one item per line). */
                format: "csv" | "ndjson";
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `user_id` ($eq $ne $in), `attendee_name` (case-insensitive substring), `status` ($eq $ne $in), `checked_in_at` ($eq $gt $gte $lt $lte $ne), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["SubscriptionsWhere"];
                /** @description `1` for ascending order, `-1` for descending. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `event_id`, `user_id`, `attendee_name`, `status`, `answers`, `form_version`, `waiting_since`, `checked_in_at`, `created_at`, `updated_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. Only if named: `waiting_position`. */
                fields?: ("id" | "event_id" | "user_id" | "attendee_name" | "status" | "answers" | "form_version" | "waiting_since" | "checked_in_at" | "created_at" | "updated_at" | "waiting_position")[];
                /** @description Relations to include, separated by a space: `user`. */
                include?: "user"[];
                /** @description Unless `off`, a text in CSV that a spreadsheet would interpret as a formula is prefixed with `'`. */
                guard?: "on" | "off";
            };
            header?: never;
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportOrganizationSubscriptions: {
        parameters: {
            query: {
                /** @description The format of the file: `csv` (RFC 4180, UTF-8 with a byte order mark) or `ndjson` (one item per line). */
                format: "csv" | "ndjson";
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `event_id` ($eq $ne $in), `user_id` ($eq $ne $in), `attendee_name` (case-insensitive substring), `status` ($eq $ne $in), `checked_in_at` ($eq $gt $gte $lt $lte $ne), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["OrganizationSubscriptionsWhere"];
                /** @description `1` for ascending order, `-1` for descending. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `event_id`, `user_id`, `attendee_name`, `status`, `answers`, `form_version`, `waiting_since`, `checked_in_at`, `created_at`, `updated_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. Only if named: `waiting_position`. */
                fields?: ("id" | "event_id" | "user_id" | "attendee_name" | "status" | "answers" | "form_version" | "waiting_since" | "checked_in_at" | "created_at" | "updated_at" | "waiting_position")[];
                /** @description Relations to include, separated by a space: `user`, `event`. */
                include?: ("user" | "event")[];
                /** @description Unless `off`, a text in CSV that a spreadsheet would interpret as a formula is prefixed with `'`. */
                guard?: "on" | "off";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventCalendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags that the client has; if one of them is current, the response is 304 without a body. */
                "if-none-match"?: string;
            };
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Identifies the response, for `If-None-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
            /** @description Not modified; no body. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renewCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarAddress"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCalendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags that the client has; if one of them is current, the response is 304 without a body. */
                "if-none-match"?: string;
            };
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Identifies the response, for `If-None-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
            /** @description Not modified; no body. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `name` (case-insensitive substring), `slug` ($eq $ne $in), `status` ($eq $ne $in), `date_start` ($eq $gt $gte $lt $lte), `date_end` ($eq $gt $gte $lt $lte), `capacity` ($eq $ne $in $gt $gte $lt $lte), `visibility` ($eq $ne $in), `registration` ($eq $ne $in), `waiting_list` ($eq $ne), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte), `viewer_subscription` ($eq $ne $in). Logic: $and, $or, $not. */
                where?: components["schemas"]["EventsWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `date_start` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `name`, `slug`, `description`, `status`, `date_start`, `date_end`, `timezone`, `location`, `capacity`, `visibility`, `registration`, `waiting_list`, `accepted_count`, `version`, `created_at`, `updated_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. Only if named: `places_left`, `url`, `availability`, `subscription_counts`, `viewer_can`. */
                fields?: ("id" | "name" | "slug" | "description" | "status" | "date_start" | "date_end" | "timezone" | "location" | "capacity" | "visibility" | "registration" | "waiting_list" | "accepted_count" | "version" | "created_at" | "updated_at" | "places_left" | "url" | "availability" | "subscription_counts" | "viewer_can")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateEvent"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The version in double quotes, for `If-Match`. */
                    ETag?: string;
                    /** @description The path of the created resource. */
                    Location?: string;
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["EventsWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countEvents: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `name` (case-insensitive substring), `slug` ($eq $ne $in), `status` ($eq $ne $in), `date_start` ($eq $gt $gte $lt $lte), `date_end` ($eq $gt $gte $lt $lte), `capacity` ($eq $ne $in $gt $gte $lt $lte), `visibility` ($eq $ne $in), `registration` ($eq $ne $in), `waiting_list` ($eq $ne), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte), `viewer_subscription` ($eq $ne $in). Logic: $and, $or, $not. */
                where?: components["schemas"]["EventsWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: {
                /** @description Fields to return, separated by a space: `id`, `name`, `slug`, `description`, `status`, `date_start`, `date_end`, `timezone`, `location`, `capacity`, `visibility`, `registration`, `waiting_list`, `accepted_count`, `version`, `created_at`, `updated_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. Only if named: `places_left`, `url`, `availability`, `subscription_counts`, `viewer_can`. */
                fields?: ("id" | "name" | "slug" | "description" | "status" | "date_start" | "date_end" | "timezone" | "location" | "capacity" | "visibility" | "registration" | "waiting_list" | "accepted_count" | "version" | "created_at" | "updated_at" | "places_left" | "url" | "availability" | "subscription_counts" | "viewer_can")[];
            };
            header?: never;
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The version in double quotes, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The change is refused unless the current version is one of these entity tags; `*` matches any. */
                "if-match"?: string;
            };
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The change is refused unless the current version is one of these entity tags; `*` matches any. */
                "if-match"?: string;
            };
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateEvent"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The version in double quotes, for `If-Match`. */
                    ETag?: string;
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            /** @description `CONFLICT`: The request conflicts with the current state. `INVALID_TRANSITION`: This change of status is not possible. */
            409: {
                headers: {
                    /** @description The seconds after which a retry may succeed; only if waiting helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ConflictProblem"] | components["schemas"]["InvalidTransitionProblem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    duplicateEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DuplicateEvent"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The version in double quotes, for `If-Match`. */
                    ETag?: string;
                    /** @description The path of the created resource. */
                    Location?: string;
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventForm: {
        parameters: {
            query?: {
                /** @description A version of the form; the current one if absent. */
                version?: number;
            };
            header?: never;
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The version in double quotes, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Form"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setEventForm: {
        parameters: {
            query?: never;
            header?: {
                /** @description The change is refused unless the current version is one of these entity tags; `*` matches any. */
                "if-match"?: string;
            };
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SetEventForm"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The version in double quotes, for `If-Match`. */
                    ETag?: string;
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Form"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOrganizationSubscriptions: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `event_id` ($eq $ne $in), `user_id` ($eq $ne $in), `attendee_name` (case-insensitive substring), `status` ($eq $ne $in), `checked_in_at` ($eq $gt $gte $lt $lte $ne), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["OrganizationSubscriptionsWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `created_at` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `event_id`, `user_id`, `attendee_name`, `status`, `answers`, `form_version`, `waiting_since`, `checked_in_at`, `created_at`, `updated_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. Only if named: `waiting_position`, `viewer_can`. */
                fields?: ("id" | "event_id" | "user_id" | "attendee_name" | "status" | "answers" | "form_version" | "waiting_since" | "checked_in_at" | "created_at" | "updated_at" | "waiting_position" | "viewer_can")[];
                /** @description Relations to include, separated by a space: `user`, `event`. */
                include?: ("user" | "event")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSubscriptionList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryOrganizationSubscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["OrganizationSubscriptionsWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSubscriptionList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countOrganizationSubscriptions: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `event_id` ($eq $ne $in), `user_id` ($eq $ne $in), `attendee_name` (case-insensitive substring), `status` ($eq $ne $in), `checked_in_at` ($eq $gt $gte $lt $lte $ne), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["OrganizationSubscriptionsWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `user_id` ($eq $ne $in), `attendee_name` (case-insensitive substring), `status` ($eq $ne $in), `checked_in_at` ($eq $gt $gte $lt $lte $ne), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["SubscriptionsWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `created_at` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `event_id`, `user_id`, `attendee_name`, `status`, `answers`, `form_version`, `waiting_since`, `checked_in_at`, `created_at`, `updated_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. Only if named: `waiting_position`, `viewer_can`. */
                fields?: ("id" | "event_id" | "user_id" | "attendee_name" | "status" | "answers" | "form_version" | "waiting_since" | "checked_in_at" | "created_at" | "updated_at" | "waiting_position" | "viewer_can")[];
                /** @description Relations to include, separated by a space: `user`, `event`. */
                include?: ("user" | "event")[];
            };
            header?: never;
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    subscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Subscribe"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path of the created resource. */
                    Location?: string;
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            /** @description `ALREADY_SUBSCRIBED`: This user already has a subscription to the event. `CONFLICT`: The request conflicts with the current state. `EVENT_FULL`: The event has no free place. `REGISTRATION_CLOSED`: The event does not accept subscriptions. `SUBSCRIPTION_DECLINED`: The subscription to this event was declined. */
            409: {
                headers: {
                    /** @description The seconds after which a retry may succeed; only if waiting helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AlreadySubscribedProblem"] | components["schemas"]["ConflictProblem"] | components["schemas"]["EventFullProblem"] | components["schemas"]["RegistrationClosedProblem"] | components["schemas"]["SubscriptionDeclinedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    querySubscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["SubscriptionsWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countSubscriptions: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `user_id` ($eq $ne $in), `attendee_name` (case-insensitive substring), `status` ($eq $ne $in), `checked_in_at` ($eq $gt $gte $lt $lte $ne), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["SubscriptionsWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    transitionSubscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TransitionSubscriptions"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionTransition"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    subscribeUsers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SubscribeUsers"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkSubscriptions"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSubscription: {
        parameters: {
            query?: {
                /** @description Fields to return, separated by a space: `id`, `event_id`, `user_id`, `attendee_name`, `status`, `answers`, `form_version`, `waiting_since`, `checked_in_at`, `created_at`, `updated_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. Only if named: `waiting_position`, `viewer_can`. */
                fields?: ("id" | "event_id" | "user_id" | "attendee_name" | "status" | "answers" | "form_version" | "waiting_since" | "checked_in_at" | "created_at" | "updated_at" | "waiting_position" | "viewer_can")[];
                /** @description Relations to include, separated by a space: `user`, `event`. */
                include?: ("user" | "event")[];
            };
            header?: never;
            path: {
                event: string;
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event: string;
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSubscription"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            /** @description `ALREADY_SUBSCRIBED`: This user already has a subscription to the event. `CONFLICT`: The request conflicts with the current state. `EVENT_FULL`: The event has no free place. `INVALID_TRANSITION`: This change of status is not possible. */
            409: {
                headers: {
                    /** @description The seconds after which a retry may succeed; only if waiting helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AlreadySubscribedProblem"] | components["schemas"]["ConflictProblem"] | components["schemas"]["EventFullProblem"] | components["schemas"]["InvalidTransitionProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event: string;
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            /** @description `ALREADY_CHECKED_IN`: This subscription is already checked in. `CONFLICT`: The request conflicts with the current state. `INVALID_TRANSITION`: This change of status is not possible. */
            409: {
                headers: {
                    /** @description The seconds after which a retry may succeed; only if waiting helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AlreadyCheckedInProblem"] | components["schemas"]["ConflictProblem"] | components["schemas"]["InvalidTransitionProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    undoCheckIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event: string;
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSubscriptionChanges: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `kind` ($eq $ne $in), `status_from` ($eq $ne $in), `status_to` ($eq $ne $in), `actor_id` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["SubscriptionChangesWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `created_at` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `subscription_id`, `kind`, `status_from`, `status_to`, `actor_id`, `created_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "subscription_id" | "kind" | "status_from" | "status_to" | "actor_id" | "created_at")[];
            };
            header?: never;
            path: {
                event: string;
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionChangeList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    querySubscriptionChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event: string;
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["SubscriptionChangesWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionChangeList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countSubscriptionChanges: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `kind` ($eq $ne $in), `status_from` ($eq $ne $in), `status_to` ($eq $ne $in), `actor_id` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["SubscriptionChangesWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path: {
                event: string;
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description Opaque cursor taken from `next`; also one of the GraphQL field `changes`. */
                token?: string;
                /** @description Where to begin without `token`: `start` is the beginning of the log, `now` an empty page with a cursor to go on from. */
                since?: "start" | "now";
                /** @description Kinds to return, separated by a space: `event`, `form`, `subscription`. All if absent. */
                kinds?: ("event" | "form" | "subscription")[];
                /** @description Items per page, 1 to 50; anything else counts as 50. */
                limit?: number;
                /** @description Seconds for which an empty page is held back until there is something, 0 to 30. */
                wait?: number;
                /** @description `object`: each change has its object as it is now. Streams ignore it. */
                include?: "object"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. With `Accept`: `text/event-stream` (see `x-other-content`). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["CursorExpired"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryChanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangesQuery"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["OrganizationForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["CursorExpired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPublicEvents: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `name` (case-insensitive substring), `slug` ($eq $ne $in), `status` ($eq $ne $in), `date_start` ($eq $gt $gte $lt $lte), `date_end` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["PublicEventsWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `date_start` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `name`, `slug`, `description`, `status`, `date_start`, `date_end`, `timezone`, `location`, `registration`, `updated_at`, `availability`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. Only if named: `places_left`, `url`. */
                fields?: ("id" | "name" | "slug" | "description" | "status" | "date_start" | "date_end" | "timezone" | "location" | "registration" | "updated_at" | "availability" | "places_left" | "url")[];
            };
            header?: {
                /** @description Entity tags that the client has; if one of them is current, the response is 304 without a body. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Identifies the response, for `If-None-Match`. */
                    ETag?: string;
                    /** @description `public, max-age=30`: any cache may store the response. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicEventList"];
                };
            };
            /** @description Not modified; no body. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            403: components["responses"]["OrganizationForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryPublicEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["PublicEventsWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Identifies the response, for `If-None-Match`. */
                    ETag?: string;
                    /** @description `public, max-age=30`: any cache may store the response. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicEventList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            403: components["responses"]["OrganizationForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countPublicEvents: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `name` (case-insensitive substring), `slug` ($eq $ne $in), `status` ($eq $ne $in), `date_start` ($eq $gt $gte $lt $lte), `date_end` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["PublicEventsWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: {
                /** @description Entity tags that the client has; if one of them is current, the response is 304 without a body. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    /** @description Identifies the response, for `If-None-Match`. */
                    ETag?: string;
                    /** @description `public, max-age=30`: any cache may store the response. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description Not modified; no body. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            403: components["responses"]["OrganizationForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPublicEvent: {
        parameters: {
            query?: {
                /** @description Fields to return, separated by a space: `id`, `name`, `slug`, `description`, `status`, `date_start`, `date_end`, `timezone`, `location`, `registration`, `updated_at`, `availability`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. Only if named: `places_left`, `url`. */
                fields?: ("id" | "name" | "slug" | "description" | "status" | "date_start" | "date_end" | "timezone" | "location" | "registration" | "updated_at" | "availability" | "places_left" | "url")[];
            };
            header?: {
                /** @description Entity tags that the client has; if one of them is current, the response is 304 without a body. */
                "if-none-match"?: string;
            };
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Identifies the response, for `If-None-Match`. */
                    ETag?: string;
                    /** @description `public, max-age=30`: any cache may store the response. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicEvent"];
                };
            };
            /** @description Not modified; no body. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPublicEventForm: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags that the client has; if one of them is current, the response is 304 without a body. */
                "if-none-match"?: string;
            };
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Identifies the response, for `If-None-Match`. */
                    ETag?: string;
                    /** @description `public, max-age=30`: any cache may store the response. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Form"];
                };
            };
            /** @description Not modified; no body. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPublicOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags that the client has; if one of them is current, the response is 304 without a body. */
                "if-none-match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Identifies the response, for `If-None-Match`. */
                    ETag?: string;
                    /** @description `public, max-age=30`: any cache may store the response. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicOrganization"];
                };
            };
            /** @description Not modified; no body. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_QUERY`: The query is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    requestGuestSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GuestRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            403: components["responses"]["OrganizationForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            /** @description `CONFLICT`: The request conflicts with the current state. `EVENT_FULL`: The event has no free place. `REGISTRATION_CLOSED`: The event does not accept subscriptions. */
            409: {
                headers: {
                    /** @description The seconds after which a retry may succeed; only if waiting helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ConflictProblem"] | components["schemas"]["EventFullProblem"] | components["schemas"]["RegistrationClosedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmGuestSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GuestConfirmation"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmedSubscription"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `INVALID_VERIFICATION_TOKEN`: The verification token is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["InvalidVerificationTokenProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            /** @description `ALREADY_SUBSCRIBED`: This user already has a subscription to the event. `CONFLICT`: The request conflicts with the current state. `EVENT_FULL`: The event has no free place. `REGISTRATION_CLOSED`: The event does not accept subscriptions. `SUBSCRIPTION_DECLINED`: The subscription to this event was declined. */
            409: {
                headers: {
                    /** @description The seconds after which a retry may succeed; only if waiting helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AlreadySubscribedProblem"] | components["schemas"]["ConflictProblem"] | components["schemas"]["EventFullProblem"] | components["schemas"]["RegistrationClosedProblem"] | components["schemas"]["SubscriptionDeclinedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    lookUpSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LookUpSubscription"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkedSubscription"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `INVALID_VERIFICATION_TOKEN`: The verification token is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["InvalidVerificationTokenProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["RegistrationClosed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeOwnAnswers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeOwnAnswers"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnSubscription"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `INVALID_VERIFICATION_TOKEN`: The verification token is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["InvalidVerificationTokenProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            /** @description `CONFLICT`: The request conflicts with the current state. `INVALID_TRANSITION`: This change of status is not possible. */
            409: {
                headers: {
                    /** @description The seconds after which a retry may succeed; only if waiting helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ConflictProblem"] | components["schemas"]["InvalidTransitionProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelOwnSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelOwnSubscription"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `INVALID_VERIFICATION_TOKEN`: The verification token is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["InvalidVerificationTokenProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            /** @description `CONFLICT`: The request conflicts with the current state. `INVALID_TRANSITION`: This change of status is not possible. */
            409: {
                headers: {
                    /** @description The seconds after which a retry may succeed; only if waiting helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ConflictProblem"] | components["schemas"]["InvalidTransitionProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseGuest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EraseGuest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `INVALID_VERIFICATION_TOKEN`: The verification token is not valid. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["InvalidVerificationTokenProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `status` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["WebhooksWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `created_at` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `url`, `kinds`, `description`, `status`, `status_reason`, `pending`, `created_by`, `created_at`, `updated_at`, `last_success_at`, `last_failure_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "url" | "kinds" | "description" | "status" | "status_reason" | "pending" | "created_by" | "created_at" | "updated_at" | "last_success_at" | "last_failure_at")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path of the created resource. */
                    Location?: string;
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["WebhooksWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countWebhooks: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `id` ($eq $ne $in), `status` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte), `updated_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["WebhooksWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: {
                /** @description Fields to return, separated by a space: `id`, `url`, `kinds`, `description`, `status`, `status_reason`, `pending`, `created_by`, `created_at`, `updated_at`, `last_success_at`, `last_failure_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "url" | "kinds" | "description" | "status" | "status_reason" | "pending" | "created_by" | "created_at" | "updated_at" | "last_success_at" | "last_failure_at")[];
            };
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplayWebhook"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `change_id` ($eq $ne $in), `status` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["WebhookDeliveriesWhere"];
                /** @description Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier. */
                limit?: number;
                /** @description Opaque cursor taken from `next` or `prev`. */
                token?: string;
                /** @description Begins the first page with the first item whose `created_at` is not before this time (with `sort=-1`: not after it); `prev` leads to what precedes it. Not together with `token`. */
                from?: string;
                /** @description 1 ascending, -1 descending; send the same value for every page. */
                sort?: 1 | -1;
                /** @description Fields to return, separated by a space: `id`, `change_id`, `type`, `attempt`, `status`, `http_status`, `error`, `response`, `duration_ms`, `created_at`, `next_attempt_at`. All if absent; otherwise the response has the named ones alone, whatever its schema requires. */
                fields?: ("id" | "change_id" | "type" | "attempt" | "status" | "http_status" | "error" | "response" | "duration_ms" | "created_at" | "next_attempt_at")[];
            };
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    where?: components["schemas"]["WebhookDeliveriesWhere"];
                    /** @description Items per page; 1 to 50, anything else is 50. */
                    limit?: number;
                    /** @description Cursor taken from `next` or `prev`. */
                    token?: string;
                    /**
                     * Format: date-time
                     * @description Where the first page begins, instead of a token.
                     */
                    from?: string;
                    /**
                     * @description 1 ascending (default), -1 descending.
                     * @enum {integer}
                     */
                    sort?: 1 | -1;
                    /** @description Names of the fields to return, separated by a space. */
                    fields?: string;
                    /** @description Names of the relations to include, separated by a space. */
                    include?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            /** @description `INVALID_CURSOR`: The cursor is not valid for this request. `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidCursorProblem"] | components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description A JSON object, URL-encoded. Fields: `change_id` ($eq $ne $in), `status` ($eq $ne $in), `created_at` ($eq $gt $gte $lt $lte). Logic: $and, $or, $not. */
                where?: components["schemas"]["WebhookDeliveriesWhere"];
                /** @description Stops counting at this number, which limits the cost; `x-count-exact` says whether the number is exact. Without it, the number is always exact. */
                max?: number;
            };
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Only with `max`: whether the number is exact; `false` if there are more items. */
                    "x-count-exact"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
                delivery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /** @description `INVALID_JSON`: The body is not valid JSON. `INVALID_QUERY`: The query is not valid. `ORGANIZATION_REQUIRED`: The header x-organization-id must name one organization by its id. `VALIDATION_ERROR`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidJsonProblem"] | components["schemas"]["InvalidQueryProblem"] | components["schemas"]["OrganizationRequiredProblem"] | components["schemas"]["ValidationErrorProblem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: You may not do this. `ORGANIZATION_FORBIDDEN`: You may not act in this organization. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["OrganizationForbiddenProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveEventChange: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the change, the same in each attempt. */
                "webhook-id": string;
                /** @description When this attempt was made, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC in base64, one for each valid secret, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EventMessage"];
            };
        };
        responses: {
            /** @description Received. After any other response, or none within 15 seconds, the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveFormChange: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the change, the same in each attempt. */
                "webhook-id": string;
                /** @description When this attempt was made, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC in base64, one for each valid secret, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FormMessage"];
            };
        };
        responses: {
            /** @description Received. After any other response, or none within 15 seconds, the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSubscriptionChange: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the change, the same in each attempt. */
                "webhook-id": string;
                /** @description When this attempt was made, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC in base64, one for each valid secret, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SubscriptionMessage"];
            };
        };
        responses: {
            /** @description Received. After any other response, or none within 15 seconds, the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePing: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the change, the same in each attempt. */
                "webhook-id": string;
                /** @description When this attempt was made, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC in base64, one for each valid secret, separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PingMessage"];
            };
        };
        responses: {
            /** @description Received. After any other response, or none within 15 seconds, the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
