import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indentJson } from '../../../src/admin/views/body.ts';

it('an indented text is that of JSON.stringify', () => {
  const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(fc.property(value, (it) => indentJson(JSON.stringify(it)) === JSON.stringify(it, null, 2)));
});

it('an indented text keeps digits, escapes and repeated members', () => {
  expect(indentJson(String.raw`{"a":9007199254740993,"a":1.50, "b" : "\u002f {\"x\":[1]}"}`)).toBe(
    String.raw`{
  "a": 9007199254740993,
  "a": 1.50,
  "b": "\u002f {\"x\":[1]}"
}`,
  );
});

it.each(['', 'plain text', '"text"', '17', '{"cut":', '{a:1}'])(
  'what is no object or list stays as it is: %s',
  (text) => {
    expect(indentJson(text)).toBeUndefined();
  },
);

it('a text of many levels does not grow beyond measure', () => {
  const text = '['.repeat(5000) + ']'.repeat(5000);
  expect(indentJson(text)?.length).toBeLessThan(500_000);
});
