import { isIP } from 'node:net';
import { z } from 'zod';
import { list } from './forms.ts';

/** Creates the form of a list of addresses, and of ranges in CIDR notation whose prefix has at least `leastBits`. */
export const addressRanges = (leastBits: number) =>
  list
    .prefault('')
    .pipe(
      z.array(
        z.string().refine((text) => isAddressRange(text, leastBits), 'must be addresses or ranges such as 10.0.0.0/8'),
      ),
    );

function isAddressRange(text: string, leastBits: number): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const width = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (width === 0 || rest.length > 0) return false;
  return bits === undefined || (/^(0|[1-9]\d*)$/.test(bits) && Number(bits) >= leastBits && Number(bits) <= width);
}
