import fc from 'fast-check';

/** Copies bytes with one bit flipped. */
export const flipBit = (bytes: Uint8Array, bit: number): Buffer => {
  const changed = Buffer.from(bytes);
  const index = Math.floor(bit / 8) % changed.length;
  changed.writeUInt8(changed.readUInt8(index) ^ (1 << (bit % 8)), index);
  return changed;
};

/** Flips one bit of a header's text, which has one character for each byte. */
export const flipTextBit = (text: string, bit: number): string =>
  flipBit(Buffer.from(text, 'latin1'), bit).toString('latin1');

/** Arbitrary non-empty bodies, and the position of a bit to flip. */
export const bodyAndBit = [fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(1_000_000)] as const;
