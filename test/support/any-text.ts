import fc from 'fast-check';

/** Any text of whole code points. fast-check's own takes seconds to be made. */
export const anyText = (length: fc.ArrayConstraints = {}): fc.Arbitrary<string> =>
  fc.array(codePoint, length).map((codes) => String.fromCodePoint(...codes));

const codePoint = fc.oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }));
