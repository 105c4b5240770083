import { observeBatch } from '../src/domain/batch.ts';
import { enrich } from '../src/domain/enrichment.ts';
import type { SignaledEvent } from '../src/domain/event.ts';
import type { Lifecycle } from '../src/domain/lifecycle.ts';
import type { PublishInput } from './announce.ts';
import type { ActivityDeps } from './ports.ts';
import type { Recorded } from './record.ts';
import { type RetrievedAtOnce, type RetrieveInput, retrieveAtOnce } from './retrieve.ts';

/** A batch of events, and what is known of their subject. */
export interface TakeInInput {
  readonly request: RetrieveInput;
  readonly events: readonly SignaledEvent[];
  readonly lifecycle: Lifecycle;
  /** Whether its changes may be announced at once: only where nothing older waits to be. */
  readonly announce: boolean;
}

/** What came of a batch: always what was retrieved, and what came of recording its changes where it got so far. */
export type TakenIn = RetrievedAtOnce & {
  readonly published?: Recorded & {
    /** When the batch was observed, in milliseconds since the epoch. */
    readonly at: number;
  };
};

/** How long a retrieval may have taken for publishing to begin within the same attempt, in milliseconds. */
const QUICK_MS = 500;

/**
 * Retrieves, observes and publishes within the workflow's own task, as far as it gets. The workflow observes the same again; what
 * did not succeed is tried again, and seen, by itself.
 */
export function createTakingIn(
  publish: (deps: ActivityDeps, input: PublishInput) => Promise<Recorded>,
  now: () => number = () => performance.now(),
) {
  return async (
    deps: ActivityDeps,
    { request, events, ...known }: TakeInInput,
  ): Promise<TakenIn | { readonly waitMs: number }> => {
    const startedAt = now();
    const tried = await retrieveAtOnce(deps, request);
    if (!('retrieved' in tried) || now() - startedAt > QUICK_MS) return tried;

    const { retrieved } = tried;
    const { subject } = request;
    const { lifecycle, unsent } = retrieved.recollection ?? { ...known, unsent: [] };
    const at = Date.now();
    const observed = observeBatch(lifecycle, { kind: subject.kind, events, snapshot: retrieved.snapshot, now: at });
    if (observed.changes.length === 0) return tried;
    const changes = enrich(subject, observed, retrieved);
    const announce = known.announce && unsent.length === 0;
    try {
      const recorded = await publish(deps, { subject, lifecycle: observed.lifecycle, changes, announce });
      return { retrieved, published: { ...recorded, at } };
    } catch {
      return tried;
    }
  };
}
