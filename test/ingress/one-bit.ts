import fc from 'fast-check';

/** Bytes with one bit of them the other way round. */
export const flipBit = (bytes: Uint8Array, bit: number): Buffer => {
  const changed = Buffer.from(bytes);
  const index = Math.floor(bit / 8) % changed.length;
  changed.writeUInt8(changed.readUInt8(index) ^ (1 << (bit % 8)), index);
  return changed;
};

/** A text as a header has it, a character for each byte, with one bit the other way round. */
export const flipTextBit = (text: string, bit: number): string =>
  flipBit(Buffer.from(text, 'latin1'), bit).toString('latin1');

/** Bodies that are not empty, and which bit of something is to change. */
export const bodyAndBit = [fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(1_000_000)] as const;
