import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cut, cutEncoded, sound } from '../../src/base/text.ts';

it('a sound text has neither half characters nor U+0000, and everything else', () => {
  expect(sound('a\0b\ud83dc\ude00 💥')).toBe('a\ufffdb\ufffdc\ufffd 💥');
});

it('a text for an address is cut by what it takes there, between characters', () => {
  expect(cutEncoded('Tea', 3)).toBe('Tea');
  expect(cutEncoded('茶茶茶', 18)).toBe('茶茶');
  expect(cutEncoded('a💥💥', 14)).toBe('a💥');
  expect(cutEncoded('💥', 11)).toBe('');
});

it('a text is cut between characters', () => {
  expect(cut('ab💥', 4)).toBe('ab💥');
  expect(cut('ab💥', 3)).toBe('ab');
  expect(cut('ab', 0)).toBe('');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, limit) => {
      const shortened = cut(text, limit);
      expect(shortened.isWellFormed()).toBe(true);
      expect(text.startsWith(shortened)).toBe(true);
      expect(shortened.length).toBeGreaterThanOrEqual(Math.min(text.length, limit - 1));
      expect(shortened.length).toBeLessThanOrEqual(limit);
    }),
  );
});
