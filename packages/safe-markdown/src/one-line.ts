/** What mail programs and people take for the start of a link. */
const linkStart = /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/|\b(?:mailto:|www\.)|\/{2,}/giu;

/**
 * All but letters, numbers, symbols such as emoji, and the punctuation of names: also `:` and `@`, dots of other scripts, line breaks,
 * and control, format and bidirectional characters.
 */
const notInNames = /[^\p{L}\p{M}\p{N}\p{So}'’‘"“”„«»&+,;!?()<>–—./-]/gu;

/** A dot inside a word, as in a domain, including characters that look like one. */
const innerDots = /(?<![.ꓸꓹꓺꓻ\u{1D16D}])[.ꓸꓹꓺꓻ\u{1D16D}]+(?=[^\s.])|[ꓸꓹꓺꓻ\u{1D16D}]/gu;

/** A number or a time on its own, as in `Room 2.14` and `from 19:30`; an IP address has more dots. */
const number = /((?<![^\s(])\d{1,4}[.:]\d{1,4}(?![^\s),;!?–-]))/u;

/** Line breaks, other control characters, and bidirectional ones. */
const notInLines = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** An organizer's text for participants: all of it, including links, as a single line. */
export function oneLine(text: string): string {
  return text.replace(notInLines, ' ').replace(/\s+/gu, ' ').trim();
}

/**
 * A text of a stranger, safe for a mail: a single line without anything that reads as a link or an address, becomes a header, or hides
 * the text after it.
 */
export function plainText(text: string, length: number): string {
  // every second part is a number
  const parts = text.split(number).map((part, index) => (index % 2 === 1 ? part : withoutLinks(part)));
  return [...parts.join('').replace(/\s+/gu, ' ').trim()].slice(0, length).join('').trim();
}

function withoutLinks(text: string): string {
  return text.replace(linkStart, ' ').replace(notInNames, ' ').replace(innerDots, ' ');
}
