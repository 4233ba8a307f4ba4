import { type Color, colorText, parseColor, readableOn, white } from '../domain/organization/color.ts';

/** Of pages in dark mode, as in the style sheet. */
export const darkPaper: Color = [0x1a, 0x20, 0x30];

/** In dark mode, the nearest lighter shade that is readable takes the colour's place (reference/organizations.md#accent). */
export function accentStyle(accent: string): string {
  const color = parseColor(accent);
  if (!color) throw new Error(`no colour: ${accent}`);
  const inDark = colorText(readableOn(darkPaper, color, white));
  return `:root { --accent: ${colorText(color)}; } @media (prefers-color-scheme: dark) { :root { --accent: ${inDark}; } }`;
}
