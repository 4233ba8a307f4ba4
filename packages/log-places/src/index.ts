export {
  decodePlace,
  encodePlace,
  hasRead,
  isSince,
  type Moment,
  momentOf,
  type Numbered,
  type Place,
  placeAfter,
  start,
  tail,
  wasOver,
} from './place.ts';
