import { setImmediate as turn } from 'node:timers/promises';
import type { WarehouseEvent } from '../domain/catalogue/event.ts';
import { subjectKey } from '../domain/catalogue/subject.ts';
import { isStoreFailure } from '../domain/errors.ts';
import type { Entry } from '../domain/quarantine.ts';
import type { InboxRows } from './tables/inbox-rows.ts';

/** A repetition is a duplicate even if the first was quarantined. */
export type Outcome = 'accepted' | 'duplicate' | 'quarantined';

export type Inbox = ReturnType<typeof createInbox>;

interface Pending {
  readonly entry: Entry;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Per transaction; a single delivery may have more bytes. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 8_388_608;

/** A batch collects so long at most while every turn of the event loop brings more. */
const COLLECT_MS = 5;

/**
 * One transaction writes the entries of consecutive turns of the event loop: many cost little more than one.
 */
export function createInbox({
  rows,
  limit,
  onWaiting,
  now = () => performance.now(),
}: {
  readonly rows: Pick<InboxRows, 'add' | 'waiting' | 'probe'>;
  /** Waiting rows beyond which deliveries are refused. */
  readonly limit: number;
  readonly onWaiting?: () => void;
  readonly now?: () => number;
}) {
  const tally = { accepted: 0, duplicate: 0, quarantined: 0 };
  const pending: Pending[] = [];
  let writing: Promise<void> | undefined;
  let isClosing = false;
  let hasFailed = false;

  async function write(): Promise<void> {
    while (pending.length > 0) {
      await collect();
      await writeBatch(pending.splice(0, batchOf(pending)));
    }
    writing = undefined;
  }

  async function collect(): Promise<void> {
    const endsAt = now() + COLLECT_MS;
    let count: number;
    do {
      count = pending.length;
      await turn();
    } while (pending.length > count && pending.length < BATCH_ROWS && now() < endsAt);
  }

  async function writeBatch(batch: readonly Pending[]): Promise<void> {
    const added = await rows.add(batch.map(({ entry }) => entry)).catch((error: unknown) => ({ error }));
    hasFailed = 'error' in added;
    if (!('error' in added)) resolveEach(batch, added);
    // One row that cannot be written must not fail the others.
    else if (batch.length > 1 && !isStoreFailure(added.error)) for (const one of batch) await writeBatch([one]);
    else for (const { reject } of batch) reject(added.error);
  }

  function resolveEach(batch: readonly Pending[], added: readonly boolean[]): void {
    const before = tally.accepted;
    for (const [index, { entry, resolve }] of batch.entries()) {
      const understood = entry.quarantineReason ? 'quarantined' : 'accepted';
      const outcome = added[index] ? understood : 'duplicate';
      tally[outcome] += 1;
      resolve(outcome);
    }
    if (tally.accepted > before) onWaiting?.();
  }

  return {
    /** Resolves once the entry is durable. @throws Error if full or closing; DocklineError `ERR_STORE_UNAVAILABLE` */
    async add(entry: Entry): Promise<Outcome> {
      if (isClosing) throw new Error('The inbox is closing');
      if (rows.waiting() + pending.length >= limit) throw new Error('The inbox is full');
      return new Promise((resolve, reject) => {
        pending.push({ entry, resolve, reject });
        writing ??= write();
      });
    },

    counts: () => ({ accepted: tally.accepted, duplicates: tally.duplicate, quarantined: tally.quarantined }),

    async isReady(): Promise<boolean> {
      if (isClosing) return false;
      // Only a write shows that writing works again, and while the inbox is not ready no delivery may arrive.
      if (hasFailed) {
        hasFailed = await rows.probe().then(
          () => false,
          () => true,
        );
      }
      return !hasFailed;
    },

    /** Refuses new entries and resolves once all others are settled. */
    async close(): Promise<void> {
      isClosing = true;
      await writing;
    },
  };
}

function batchOf(pending: readonly Pending[]): number {
  let bytes = 0;
  let rows = 0;
  const end = pending.findIndex(({ entry }, index) => {
    bytes += entry.body.byteLength;
    rows += 1 + (entry.rows?.length ?? 0);
    return index > 0 && (rows > BATCH_ROWS || bytes > BATCH_BYTES);
  });
  return end < 0 ? pending.length : end;
}

const ENDPOINT = 'reconciliation';

/** Resolves once all are durable, with whether each is new. Rejects as {@link Inbox.add} does. */
export function createFeed({ inbox }: { readonly inbox: Pick<Inbox, 'add'> }) {
  return async (
    found: readonly { readonly event: WarehouseEvent; readonly evidence: object }[],
  ): Promise<readonly boolean[]> => {
    const outcomes = await Promise.all(
      found.map(({ event, evidence }) =>
        inbox.add({
          eventId: event.id,
          endpoint: ENDPOINT,
          tenant: event.tenant,
          receivedAt: Date.now(),
          event,
          subjectKey: subjectKey({ tenant: event.tenant, kind: event.subject, id: event.subjectId }),
          body: Buffer.from(JSON.stringify(evidence)),
        }),
      ),
    );
    return outcomes.map((outcome) => outcome === 'accepted');
  };
}
