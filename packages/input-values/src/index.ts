export {
  addressForm,
  countedMailbox,
  emailAddress,
  isEmailAddress,
  longestAddress,
  mailboxOf,
} from './email-address.ts';
export { isRecord } from './is-record.ts';
export { distinct, list } from './list.ts';
export { didYouMean, nearestName } from './nearest-name.ts';
export { isoTimestamp, parseTimestamp, parseUuid } from './scalars.ts';
export { findFreeSlug, maxSlugLength, slugOf } from './slug.ts';
export { canNormalizeTo, countCharacters, displayName, hasAtMost, line, longText, shorten, text } from './text.ts';
export { timeZone, zoneName } from './time-zone.ts';
export { timestampInput } from './timestamp-input.ts';
export { isWebAddress, longestWebAddress, webAddress } from './web-address.ts';
