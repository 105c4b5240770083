import type { Announcement } from './announcement.ts';
import { placeOf } from './place.ts';
import type { Store } from './store.ts';

/** Handles an announcement. What it writes with the store's transaction is kept only if the announcement counts as taken. */
export type Handler<Transaction> = (announcement: Announcement, transaction: Transaction) => void | Promise<void>;

/** Announcement that does not follow the last one of its subject. */
export interface Gap {
  readonly announcement: Announcement;
  /** Sequence of the last one that was taken; 0 if none was. */
  readonly last: number;
}

export interface TakeOptions<Transaction> {
  readonly store: Store<Transaction>;
  readonly handle: Handler<Transaction>;
  /** Decides whether an announcement is taken although some before it were not; those are then never taken. Default: none is. */
  readonly acceptGap?: ((gap: Gap) => boolean) | undefined;
  /** Handles an announcement that was taken before and that somebody had sent again. Default: it is a duplicate. */
  readonly handleReplay?: Handler<Transaction> | undefined;
}

/** Throws a `TypeError` if an option is missing, which callers without types would notice at the first announcement. */
export function checkTakeOptions<Transaction>({ store, handle }: Partial<TakeOptions<Transaction>>): void {
  if (typeof store?.transact !== 'function') throw new TypeError('no store is given: createMemoryStore() for a trial');
  if (typeof handle !== 'function')
    throw new TypeError('no handle is given, so nothing would be done with announcements');
}

/**
 * Outcome of an announcement: `taken` now, a `duplicate` of one that was taken, too `early` because one before it is missing, or `ignored`
 * because it is a test of the connection.
 */
export type Outcome = 'taken' | 'duplicate' | 'early' | 'ignored';

/**
 * Takes an announcement if it is the next one of its subject; one that is about no subject is the only one of its id. The handler and the new position share a transaction: if either fails, neither
 * counts, and the error is thrown.
 */
export async function take<Transaction>(
  announcement: Announcement,
  { store, handle, acceptGap = () => false, handleReplay }: TakeOptions<Transaction>,
): Promise<Outcome> {
  if (isTest(announcement)) return 'ignored';
  const { subject, revision, previous } = placeOf(announcement);
  return await store.transact(subject, async ({ last, transaction, advance }) => {
    if (revision <= last) {
      if (!handleReplay || !isReplay(announcement)) return 'duplicate';
      await handleReplay(announcement, transaction);
      return 'taken';
    }
    if (previous > last && !acceptGap({ announcement, last })) return 'early';
    await handle(announcement, transaction);
    await advance(revision);
    return 'taken';
  });
}

/** A test of the connection is told by its id as well, which is signed in both modes. */
const isTest = (announcement: Announcement): boolean =>
  announcement.type === 'unknown' && announcement.sentType === 'dockline.test' && announcement.id.startsWith('test/');

const isReplay = ({ data }: Announcement): boolean => ((data ?? {}) as { readonly replay?: boolean }).replay === true;
