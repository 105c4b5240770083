import { setImmediate as turn } from 'node:timers/promises';
import { isStoreFailure } from '../domain/errors.ts';
import { InboxRefusal } from './inbox-refusal.ts';
import type { Entry, InboxRows } from './rows.ts';

/** What became of a delivery; the same again, quarantined or not, is a duplicate. */
export type Outcome = 'accepted' | 'duplicate' | 'quarantined';

/** The durable way in. */
export interface Inbox {
  /**
   * Resolves once the entry is on the disk.
   *
   * @throws InboxRefusal when the inbox is full or closing; DocklineError `ERR_STORE_UNAVAILABLE` when it cannot write
   */
  add(entry: Entry): Promise<Outcome>;
  /** What became of the deliveries since the start. */
  counts(): { readonly accepted: number; readonly duplicates: number; readonly quarantined: number };
  /** Whether the next delivery could be written. */
  isReady(): Promise<boolean>;
  /** Refuses what comes from now on and resolves when all that came before is settled. */
  close(): Promise<void>;
}

interface Pending {
  readonly entry: Entry;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** How many rows one transaction takes at most, */
const BATCH_ROWS = 500;

/** and how many bytes of bodies, unless a single one has more. */
const BATCH_BYTES = 8_388_608;

/** How long a commit waits at most while every turn of the event loop brings more for it. */
const GATHERING_MS = 5;

/** How long a delivery that is only to be quarantined waits at most for another one's commit. */
const PARKED_WAIT_MS = 50;

/**
 * An inbox that writes in one transaction what comes while a commit is under way, and in the turns after it without a pause between
 * them: that of many costs little more than that of few. What is only to be quarantined goes along with what is not, so that no event
 * has to wait for a commit that was not its own.
 */
export function createInbox({
  rows,
  limit,
  onWaiting,
  now = () => performance.now(),
}: {
  readonly rows: InboxRows;
  /** How many rows may wait to be dispatched before deliveries are refused. */
  readonly limit: number;
  /** Called after a commit that left new rows waiting. */
  readonly onWaiting?: () => void;
  readonly now?: () => number;
}): Inbox {
  const tally = { accepted: 0, duplicate: 0, quarantined: 0 };
  const pending: Pending[] = [];
  let writing: Promise<void> | undefined;
  let endWait = () => {};
  let closing = false;
  let failed = false;

  async function write(): Promise<void> {
    while (pending.length > 0) {
      if (pending.every(({ entry }) => isQuarantined(entry))) await company();
      await gather();
      await writeBatch(pending.splice(0, batchOf(pending)));
    }
    writing = undefined;
  }

  async function company(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    endWait = resolve;
    const timer = setTimeout(resolve, PARKED_WAIT_MS);
    await promise;
    clearTimeout(timer);
  }

  async function gather(): Promise<void> {
    const endsAt = now() + GATHERING_MS;
    let count: number;
    do {
      count = pending.length;
      await turn();
    } while (pending.length > count && pending.length < BATCH_ROWS && now() < endsAt);
  }

  async function writeBatch(batch: readonly Pending[]): Promise<void> {
    const added = await rows.add(batch.map(({ entry }) => entry)).catch((error: unknown) => ({ error }));
    failed = 'error' in added;
    if (!('error' in added)) settle(batch, added);
    // One row that cannot be written must not fail its neighbors.
    else if (batch.length > 1 && !isStoreFailure(added.error)) for (const one of batch) await writeBatch([one]);
    else for (const { reject } of batch) reject(added.error);
  }

  function settle(batch: readonly Pending[], added: readonly boolean[]): void {
    const outcomes = batch.map(({ entry }, index): Outcome => {
      if (!added[index]) return 'duplicate';
      return isQuarantined(entry) ? 'quarantined' : 'accepted';
    });
    for (const [index, outcome] of outcomes.entries()) {
      tally[outcome] += 1;
      batch[index]?.resolve(outcome);
    }
    if (outcomes.includes('accepted')) onWaiting?.();
  }

  return {
    async add(entry) {
      if (closing) throw new InboxRefusal('closing');
      if (rows.waiting() + pending.length >= limit) throw new InboxRefusal('full');
      return new Promise((resolve, reject) => {
        pending.push({ entry, resolve, reject });
        if (!isQuarantined(entry)) endWait();
        writing ??= write();
      });
    },

    counts: () => ({ accepted: tally.accepted, duplicates: tally.duplicate, quarantined: tally.quarantined }),

    async isReady() {
      if (closing) return false;
      // Only a write shows that writing works again, and while this says no none may come.
      if (failed) {
        failed = await rows.probe().then(
          () => false,
          () => true,
        );
      }
      return !failed;
    },

    async close() {
      closing = true;
      await writing;
    },
  };
}

const isQuarantined = ({ quarantineReason }: Entry) => quarantineReason !== undefined;

/** How many from the front travel together. */
function batchOf(pending: readonly Pending[]): number {
  let bytes = 0;
  const end = pending.findIndex(({ entry }, index) => {
    bytes += entry.body.byteLength;
    return index > 0 && (index === BATCH_ROWS || bytes > BATCH_BYTES);
  });
  return end < 0 ? pending.length : end;
}
