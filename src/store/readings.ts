import type { Kysely } from 'kysely';
import { singleFlight } from '../base/single-flight.ts';
import type { PermittedReads } from './limited-reads.ts';
import type { Database } from './schema.ts';

type Reading<T> = (reads: Kysely<Database>, now: number) => Promise<T>;

const HOLDS_MS = 1000;

export type Readings = ReturnType<typeof createReadings>;

export function createReadings(reads: PermittedReads, now: () => number) {
  const flights = new Map<Reading<unknown>, ReturnType<typeof singleFlight>>();
  return {
    reads,
    /** At most once a second, whoever asks. */
    async once<T>(read: Reading<T>): Promise<T> {
      const flight = flights.get(read) ?? singleFlight<unknown>(HOLDS_MS, () => read(reads, now()));
      flights.set(read, flight);
      return (await flight.read()) as T;
    },
    expire(): void {
      for (const flight of flights.values()) flight.expire();
    },
  };
}
