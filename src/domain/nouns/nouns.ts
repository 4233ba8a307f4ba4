import { fieldsOf } from '../../engine/list/resource.ts';

/** The nouns that have ids. */
export type Noun =
  | 'event'
  | 'subscription'
  | 'user'
  | 'organization'
  | 'membership'
  | 'invitation'
  | 'session'
  | 'audit_entry'
  | 'subscription_change'
  | 'public_event'
  | 'api_key'
  | 'webhook'
  | 'webhook_delivery';

/** The fields of the resources. */
export const field = fieldsOf<Noun>();
