import { describe, expect, it } from 'vitest';
import {
  black,
  type Color,
  colorText,
  contrastOf,
  parseColor,
  readableOn,
  white,
} from '../../src/domain/organization/color.ts';
import { accentStyle, darkPaper } from '../../src/pages/accent-style.ts';
import { style } from '../../src/pages/style.ts';

const colorOf = (text: string) => parseColor(text) as Color;

describe('the contrast of colours', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4.0],
    ['#ffff00', '#ffffff', 1.07],
  ])('of %s and %s is %d, whichever comes first', (one, other, contrast) => {
    expect(contrastOf(colorOf(one), colorOf(other))).toBeCloseTo(contrast, 1);
    expect(contrastOf(colorOf(other), colorOf(one))).toBe(contrastOf(colorOf(one), colorOf(other)));
  });

  it.each(['2450c8', '#2450c', '#2450c80', '#2450cg', ' #2450c8', '#fff', 'blue', 'rgb(1,2,3)', ''])(
    'knows no colour “%s”',
    (text) => expect(parseColor(text)).toBeNull(),
  );
});

describe('the nearest colour that can be read', () => {
  /** Every hue, light and dark. */
  const steps = [0, 51, 102, 153, 204, 255];
  const colors = steps.flatMap((r) => steps.flatMap((g) => steps.map((b): Color => [r, g, b])));

  it('is the colour itself, or has the contrast', () => {
    for (const color of colors) {
      const onWhite = readableOn(white, color, black);
      expect(contrastOf(onWhite, white), colorText(color)).toBeGreaterThanOrEqual(4.5);
      if (contrastOf(color, white) >= 4.5) expect(onWhite).toEqual(color);
    }
  });

  it('in dark mode can be read on the paper, and the dark text on it', () => {
    const onAccent = colorOf('#0d1530');
    for (const color of colors) {
      const dark = readableOn(darkPaper, color, white);
      expect(contrastOf(dark, darkPaper), colorText(color)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(dark, onAccent), colorText(color)).toBeGreaterThanOrEqual(4.5);
      expect(accentStyle(colorText(color))).toContain(`--accent: ${colorText(dark)}; } }`);
    }
    // the colours that are compared here are those of the style sheet
    expect(style).toContain(`--paper: ${colorText(darkPaper)};`);
    expect(style).toContain(`--on-accent: ${colorText(onAccent)};`);
  });
});
