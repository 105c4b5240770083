import type { Store } from '../../src/app/store.ts';
import { type Readings, readEverything } from '../../src/store/limited-reads.ts';

/** Reads whenever it is asked, since a test changes the store in between. */
export function freshReadings({ reads, now }: Pick<Store, 'reads' | 'now'>): Readings {
  const all = readEverything(reads);
  return { reads: all, once: (read) => read(all, now()), expire() {} };
}
