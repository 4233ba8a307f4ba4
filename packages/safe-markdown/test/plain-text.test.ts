import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { plainText } from '../src/index.ts';

describe('plainText', () => {
  test.each([
    'Ada "the Countess" Łovelace',
    'Dr. Grace Hopper',
    'Müller & Söhne, Events Inc.',
    "Conan O'Brien–Smith (1906)",
    '東京イベント 🎉',
    'नमस्ते दुनिया',
    'Club 2026!',
    'Arts/Crafts',
    'The <b>Society</b>',
    'Room 2.14',
    'Hall 3 (2.14), from 19:30',
  ])('leaves %j as it is', (name) => {
    expect(plainText(name, 100)).toBe(name);
  });

  test.each([
    ['https://evil.example/login?a=b#c', 'evil example/login?a b c'],
    ['HTTP://evil.example', 'evil example'],
    ['see javascript://evil', 'see evil'],
    ['//evil.example', 'evil example'],
    ['www.evil.example', 'evil example'],
    ['WWW.evil.example now', 'evil example now'],
    ['evil.example', 'evil example'],
    ['evil。example', 'evil example'],
    ['evil．example', 'evil example'],
    ['evil․example', 'evil example'],
    ['evil｡example', 'evil example'],
    ['evilꓸexample', 'evil example'],
    ['evil..example', 'evil example'],
    ['evil.\u200Bexample', 'evil. example'],
    ['localhost:8080/x', 'localhost 8080/x'],
    ['1.2.3.4', '1 2 3 4'],
    ['10.0.0.1:8080', '10 0 0 1 8080'],
    ['2.14.example', '2 14 example'],
    ['19:30@evil.example', '19 30 evil example'],
    ['2.14/x', '2 14/x'],
    ['//2.14', '2 14'],
    ['１．２．３．４', '１ ２ ３ ４'],
    ['mailto:victim@evil.example', 'victim evil example'],
    ['victim＠evil．example', 'victim evil example'],
    ['tel:+4912345', 'tel +4912345'],
    ['\\\\server\\share', 'server share'],
    ['<a href="x">', '<a href "x">'],
    ['[click](evil.example)', 'click (evil example)'],
    ['Ada\r\nBcc: victim@example.org', 'Ada Bcc victim example org'],
    ['Ada\u2028Grace\u2029Hopper\u0085x', 'Ada Grace Hopper x'],
    ['Ada\u202Egro.elpmaxe\u2066', 'Ada gro elpmaxe'],
    ['a\u{E0041}\u00ADb', 'a b'],
    ['a///b', 'a b'],
    ['...', '...'],
    ['', ''],
    ['://', ''],
  ])('makes %j to %j', (name, plain) => {
    expect(plainText(name, 100)).toBe(plain);
  });

  it('leaves no sign of a link in any text of these', () => {
    const words = ['http', 's', 'www', 'evil', 'com', ' ', 'é', '7'];
    const signs = [':', '/', '//', '.', '．', '。', '@', '\u200d', '\u202e', '\n'];
    const texts = fc.string({ unit: fc.constantFrom(...words, ...signs), minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(texts, (text) => {
        const rest = plainText(text, 200).replace(/(?<=^|[\s(])\d+[.:]\d+(?=$|[\s),;!?–-])/gu, '');
        expect(rest).not.toMatch(/[:@．。]|\/\/|\.[^\s.]|[\p{C}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 5_000 },
    );
  });

  it('counts characters, and leaves no half of one', () => {
    expect(plainText('🎉🎉🎉', 2)).toBe('🎉🎉');
    expect(plainText('ab cd', 3)).toBe('ab');
  });
});
