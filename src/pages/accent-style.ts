import { type Color, colorText, parseColor, readableOn, white } from '../domain/organization/color.ts';

/** The paper of a page in dark mode, as in the style sheet. */
export const darkPaper: Color = [0x1a, 0x20, 0x30];

/**
 * The style of pages in a colour of their own. On white it is readable as it is; in dark mode its nearest lighter shade takes
 * its place, with dark text on it (reference/organizations.md#accent).
 */
export function accentStyle(accent: string): string {
  const color = parseColor(accent);
  if (!color) throw new Error(`no colour: ${accent}`);
  const inDark = colorText(readableOn(darkPaper, color, white));
  return `:root { --accent: ${colorText(color)}; } @media (prefers-color-scheme: dark) { :root { --accent: ${inDark}; } }`;
}
