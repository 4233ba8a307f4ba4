export { commaSeparated, oneOf, onOff, origin, publicUrl, share, strictInteger } from './values.ts';
export { type Environment, type Read, readVariables } from './variables.ts';
