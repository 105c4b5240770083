import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indentJson } from '../../../src/admin/views/body.ts';

it('an indented text is that of JSON.stringify', () => {
  const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(fc.property(value, (it) => indentJson(JSON.stringify(it)) === JSON.stringify(it, null, 2)));
});

it('an indented text keeps digits', () => {
  expect(indentJson('{"a":9007199254740993,"b":[1.50]}')).toBe(
    '{\n  "a": 9007199254740993,\n  "b": [\n    1.50\n  ]\n}',
  );
});

it.each(['', 'plain text', '"text"', '17', '{"cut":', '{a:1}'])(
  'what is no object or list stays as it is: %s',
  (text) => {
    expect(indentJson(text)).toBeUndefined();
  },
);

it('a text of many levels is not indented', () => {
  expect(indentJson('['.repeat(5000) + ']'.repeat(5000))).toBeUndefined();
});
