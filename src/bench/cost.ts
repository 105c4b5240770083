import { setTimeout as pause } from 'node:timers/promises';
import { subjectKey } from '../domain/subject.ts';
import { openTemporal, type Temporal } from '../temporal/connection.ts';
import type { CostResult } from './results.ts';
import { figuresOf } from './rounds.ts';
import { median } from './statistics.ts';
import type { System } from './system.ts';
import type { Visit } from './visit.ts';
import { TENANT } from './workload.ts';

/** How long the histories of orders are. */
export interface Histories {
  /** Of orders whose events came one by one: medians. */
  readonly events: number;
  readonly bytes: number;
  /** Of orders that came in a burst: the median. */
  readonly burstEvents: number;
}

interface History {
  readonly events: number;
  readonly bytes: number;
}

/** A burst has far more orders than it takes for a median. */
const SAMPLE = 50;
const SETTLED_MS = 1_000;
const LOOKS = 20;

/** Reads the histories of orders when nothing is written to them any more. */
export async function measureHistories(
  { arena: { temporal } }: System,
  { oneByOne, burst }: { readonly oneByOne: readonly string[]; readonly burst: readonly string[] },
): Promise<Histories> {
  await using opened = new AsyncDisposableStack();
  const options = { address: temporal?.address ?? '', namespace: 'default' };
  const connection = opened.adopt(openTemporal(options), (it) => it.close());
  const few = await settled(() => look(connection, oneByOne));
  const many = await settled(() => look(connection, burst.slice(0, SAMPLE)));
  const eventsOf = (histories: readonly History[]) => median(histories.map(({ events }) => events));
  return { events: eventsOf(few), bytes: median(few.map(({ bytes }) => bytes)), burstEvents: eventsOf(many) };
}

const look = ({ client }: Temporal, orderIds: readonly string[]): Promise<History[]> =>
  Promise.all(
    orderIds.map(async (id) => {
      const handle = client.workflow.getHandle(subjectKey({ tenant: TENANT, kind: 'order', id }));
      const { historyLength, historySize = 0 } = await handle.describe();
      return { events: historyLength, bytes: historySize };
    }),
  );

/** What is the same a second later; the last look where it keeps changing. */
async function settled(lookNow: () => Promise<readonly History[]>): Promise<readonly History[]> {
  let seen = await lookNow();
  for (let looks = 1; looks < LOOKS; looks += 1) {
    await pause(SETTLED_MS);
    const before = JSON.stringify(seen);
    seen = await lookNow();
    if (JSON.stringify(seen) === before) break;
  }
  return seen;
}

/** What a life costs on SQLite, over all rounds. */
export function costOf(visits: readonly Visit[]): CostResult {
  const medianOf = (figure: (visit: Visit) => number | undefined) => median(figuresOf(visits, 'sqlite', figure));
  return {
    history: {
      events: medianOf(({ histories }) => histories?.events),
      bytes: medianOf(({ histories }) => histories?.bytes),
      burstEvents: medianOf(({ histories }) => histories?.burstEvents),
    },
    calls: {
      perEvent: medianOf(({ lives }) => lives?.callsPerEvent),
      burst: medianOf(({ passages }) => passages.burst?.callsPerEvent),
    },
  };
}
