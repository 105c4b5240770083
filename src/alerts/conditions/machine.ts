import { nameAccount, ONE, type Search } from './search.ts';

/** Free space below which a person should act, in bytes. */
const LOW_BYTES = 2 ** 30;

/** Finds a disk that is nearly full. */
export const findFullDisk: Search = async ({ machine }) => {
  const free = await machine?.freeBytes();
  if (free === undefined || free >= LOW_BYTES) return [];
  const because = `${Math.floor(free / 2 ** 20).toLocaleString('en-US')} MiB are free`;
  return [{ about: '', ...ONE, since: null, because, path: '/board/system' }];
};

const parts = { Temporal: 'Temporal does', workers: 'The workers do' } as const;

/** Finds the part of Temporal that does not answer. */
export const findTemporalAway: Search = async ({ machine }) => {
  const away = machine?.findAway();
  return away ? [{ about: parts[away.part], ...ONE, since: away.since, because: null, path: '/board/system' }] : [];
};

/** Time for which it is told that Dockline was away, in milliseconds: shorter than the wait for a reminder. */
const TOLD_FOR_MS = 23 * 3_600_000;

/** Finds the last time for which Dockline did not run, or did not reach its store. */
export const findDocklineAway: Search = async ({ machine, away, now }) => {
  if (!machine || !away || away.until < now - TOLD_FOR_MS) return [];
  const [from, until] = [away.from, away.until].map((at) => new Date(at).toISOString().slice(0, 16).replace('T', ' '));
  return [{ about: `from ${from} to ${until} UTC`, ...ONE, since: away.from, because: null, path: '/board' }];
};

/** Intervals between sweeps after which one that has not succeeded is missed. */
const MISSED = 3;

/** Finds the warehouses whose reconciliation has not succeeded for a while. */
export const findFailingSweeps: Search = async ({ machine }) => {
  const { last, everyMs, at } = (await machine?.sweeps()) ?? NONE;
  return last
    .filter(({ succeededAt }) => succeededAt < at - MISSED * everyMs)
    .map(({ tenant, succeededAt: since }) => ({
      about: nameAccount({ tenant }),
      ...ONE,
      since,
      because: null,
      path: '/board/system',
    }));
};

/** Finds the warehouses of which the last reconciliation found differences. */
export const findDifferences: Search = async ({ machine }) => {
  const { last } = (await machine?.sweeps()) ?? NONE;
  return last.flatMap(({ tenant, succeededAt: since, differences: count }) =>
    count === 0
      ? []
      : [{ about: nameAccount({ tenant }), count, isMore: false, since, because: null, path: '/board/system' }],
  );
};

const NONE = { last: [], everyMs: 0, at: 0 } as const;
