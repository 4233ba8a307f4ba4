import { fieldsOf } from '../../engine/list/resource.ts';

export type Noun =
  | 'event'
  | 'form'
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

export const field = fieldsOf<Noun>();
