/** Red, green, blue, from 0 to 255. */
export type Color = readonly [number, number, number];

/** For text, by WCAG 2.2, level AA. */
export const readableContrast = 4.5;

export const white: Color = [255, 255, 255];
export const black: Color = [0, 0, 0];

/** Of a text like `#2450c8`; null for another one. */
export function parseColor(text: string): Color | null {
  if (!/^#[\da-f]{6}$/i.test(text)) return null;
  const channel = (from: number) => Number.parseInt(text.slice(from, from + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

export function colorText(color: Color): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** From 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: Color, other: Color): number {
  const [high, low] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminanceOf(color: Color): number {
  const [red, green, blue] = color.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The colour itself if it is readable on a ground, otherwise the nearest mixture with `towards` that is. */
export function readableOn(ground: Color, color: Color, towards: Color): Color {
  for (let share = 0; share < 1; share += 0.01) {
    const mixed = color.map((channel, index) => Math.round(channel + ((towards[index] ?? 0) - channel) * share)) as [
      number,
      number,
      number,
    ];
    if (contrastOf(mixed, ground) >= readableContrast) return mixed;
  }
  return towards;
}
