import { text } from './text.ts';

export const longestWebAddress = 2_000;

/** Whether a text is an absolute `http` or `https` URL. */
export function isWebAddress(value: string): boolean {
  // `URL` accepts any number of slashes before the host
  const form = /^https?:\/\/[^\s\p{Cc}/\\][^\s\p{Cc}]*$/iu;
  return value.length <= longestWebAddress && form.test(value) && URL.canParse(value);
}

export const webAddress = text
  .refine(isWebAddress, `Must be an http or https URL of at most ${longestWebAddress} characters.`)
  .meta({ format: 'uri', maxLength: longestWebAddress });
