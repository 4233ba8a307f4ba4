export { emailAddress, text } from '../domain/input/text.ts';
