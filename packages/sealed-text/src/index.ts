export { isSealed, type Seal, TextSealer } from './sealed-text.ts';
