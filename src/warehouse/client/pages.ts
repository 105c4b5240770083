import { DocklineError } from '../../domain/errors.ts';
import { rankOf } from '../../domain/priority.ts';
import { readAnswer } from './answer.ts';
import { type Api, type GetOptions, PATIENCE_MS } from './api.ts';
import { describeMany, type Loaded, type Page, proveRow, type Records, readPage } from './page-answer.ts';
import { lackOf, type PageTrust } from './page-trust.ts';
import type { Answer } from './transport.ts';
import { createWaiter, rankTogether, type Waiter } from './waiter.ts';

interface LoadOptions extends GetOptions {
  /** Returns the record as it was stored, as JSON text. */
  readonly stored?: (() => Promise<string | undefined>) | undefined;
}

/** Record that is waited for. It resolves with `alone` if it has to be asked for by itself. */
interface Due<T> extends Waiter<Loaded<T> | 'alone'> {
  readonly id: string;
  readonly options: LoadOptions;
  party: Party<T>;
}

/** Records that one GET asks for, which is given up once nobody waits for any of them. */
interface Party<T> {
  readonly dues: Set<Due<T>>;
  readonly controller: AbortController;
  /** Time at which the first one of them came, on the clock of the process. */
  since: number;
  isAsking: boolean;
  timer?: NodeJS.Timeout;
  isForCrowd?: boolean;
}

/** Longest time to wait for company, where the whole rate is in use, in milliseconds; and the time for which others are company. */
const LINGER_MS = 250;
const COMPANY_MS = 100;

/** Shortest wait that is worth a timer, in milliseconds. */
const LEAST_LINGER_MS = 5;

/** In a crowd: time without another record after which those that wait go, and longest time that one waits for others, in milliseconds. */
const LULL_MS = 500;
const CROWD_MS = 2000;

/** Crowds in turn that did not come, after which none is awaited for a time, in milliseconds: what is to come is held up elsewhere. */
const LONELY = 3;
const ALONE_MS = 30_000;

/** Ids that need no escaping in a filter. */
const LISTABLE = /^[\w-]+$/;

/** Loader of one kind's records. */
export interface Pages<T> {
  /** Returns a record that proved itself. Rejects as its own GET does, or with that which was to bring it among others. */
  load(id: string, signal: AbortSignal, options: LoadOptions): Promise<Loaded<T>>;
  /** Lists one record as those are listed that wait together; returns why it would not do, for people. */
  examine(id: string, signal: AbortSignal): Promise<string | undefined>;
}

/**
 * Creates the loader of one kind's records. A record that is asked for while nothing else is goes by its own GET; others wait together, and
 * whichever GET gets a turn takes along all that wait by then. While it is known that many more will be asked for, they wait for those. Each row
 * proves itself as a single answer does. What a page does not prove,
 * or not as new as it is known, is asked for by itself: no page says that a record does not exist.
 */
export function createPages<T extends { readonly isUnreadable?: true }>(
  { get, exchange, pace }: Pick<Api, 'get' | 'exchange' | 'pace'>,
  records: Records<T>,
  trust: PageTrust,
  isCrowded: () => boolean = () => false,
): Pages<T> {
  const { one, many, readOne } = records;
  let gathering = createParty<T>();
  let askedAt = Number.NEGATIVE_INFINITY;
  let lonely = 0;
  let aloneUntil = Number.NEGATIVE_INFINITY;

  const isCrowd = () => performance.now() >= aloneUntil && isCrowded();

  /** Records that are asked for by themselves, and whose turns have not come. */
  let pending = 0;

  async function load(id: string, signal: AbortSignal, options: LoadOptions): Promise<Loaded<T>> {
    const lingerMs = pace.use(pending) * LINGER_MS;
    const isLonely = performance.now() - askedAt > COMPANY_MS || lingerMs < LEAST_LINGER_MS;
    askedAt = performance.now();
    const isFree = pace.isFree(pending + 1);
    const isAlone = gathering.dues.size === 0 && isFree && isLonely && !isCrowd();
    if (isAlone || trust.size() < 2 || !LISTABLE.test(id)) return await loadAlone(id, signal, options);
    const loaded = await join(id, signal, options, isFree ? lingerMs : 0);
    return loaded === 'alone' ? await loadAlone(id, signal, options) : loaded;
  }

  async function loadAlone(id: string, signal: AbortSignal, { stored: _, ...options }: LoadOptions) {
    const { path, operation } = one(id);
    let isPending = true;
    const begin = () => {
      if (isPending) pending -= 1;
      isPending = false;
    };
    pending += 1;
    const onBegin = (at: number) => {
      begin();
      options.onBegin?.(at);
    };
    return await get(path, readOne(id), signal, { operation, ...options, onBegin }).finally(begin);
  }

  function join(id: string, signal: AbortSignal, options: LoadOptions, lingerMs: number): Promise<Loaded<T> | 'alone'> {
    signal.throwIfAborted();
    const asked = rankOf('event');
    const { rank = () => asked, withinMs = PATIENCE_MS } = options;
    const waiter = createWaiter<Loaded<T> | 'alone'>({ signal, rank, withinMs });
    const due: Due<T> = { ...waiter, id, options, party: gathering };
    add(due);
    due.onLeft(() => leave(due));
    awaitOthers(gathering, lingerMs);
    return due.promise;
  }

  function add(due: Due<T>): void {
    if (gathering.dues.size === 0) gathering.since = performance.now();
    due.party = gathering;
    gathering.dues.add(due);
  }

  /** Asks after a time; in a crowd once the page is full, nobody else comes, or the first has waited long enough. */
  function awaitOthers(party: Party<T>, lingerMs: number): void {
    const isInCrowd = isCrowd();
    const leftMs = party.since + CROWD_MS - performance.now();
    const waitMs = isInCrowd ? Math.min(LULL_MS, leftMs) : lingerMs;
    const isReady = waitMs < LEAST_LINGER_MS || party.dues.size >= trust.size();
    if (isReady) ask(party);
    if (isReady || (party.timer && !isInCrowd && !party.isForCrowd)) return;
    clearTimeout(party.timer);
    party.isForCrowd = isInCrowd;
    party.timer = setTimeout(() => {
      if (isInCrowd) noteCrowd(party.dues.size);
      ask(party);
    }, waitMs);
  }

  function noteCrowd(size: number): void {
    lonely = size === 1 ? lonely + 1 : 0;
    if (lonely >= LONELY) aloneUntil = performance.now() + ALONE_MS;
  }

  function leave(due: Due<T>): void {
    const { party } = due;
    party.dues.delete(due);
    if (party.dues.size > 0) return;
    if (party === gathering) gathering = createParty();
    party.controller.abort(new Error('nobody waits any more'));
  }

  /** Asks for the turn of a party, once. */
  function ask(party: Party<T>): void {
    clearTimeout(party.timer);
    if (party.isAsking || party.dues.size === 0) return;
    party.isAsking = true;
    void exchangeFor(party);
  }

  async function exchangeFor(party: Party<T>): Promise<void> {
    const { dues, controller } = party;
    let taken: readonly Due<T>[] | undefined;
    const choose = () => {
      taken ??= take(party);
      const [first] = taken;
      return first && taken.length === 1 ? one(first.id) : many([...new Set(taken.map(({ id }) => id))]);
    };
    try {
      const answer = await exchange(choose, controller.signal, {
        rank: () => rankTogether(dues),
        withinMs: PATIENCE_MS,
        onBegin: (at) => dues.forEach(({ options }) => void options.onBegin?.(at)),
        onAnswer: (answered) => {
          const others = dues.size - 1;
          for (const { options } of dues) options.onAnswer?.({ ...answered, ...(others > 0 && { others }) });
          if (taken && taken.length > 1) trust.answered({ asked: taken.length, ms: answered.ms });
        },
      });
      await settle(party, taken ?? [], answer);
    } catch (error) {
      fail(party, taken, error);
    }
  }

  /** Takes along those that have waited longest, and lets the others wait for the next turn. */
  function take(party: Party<T>): readonly Due<T>[] {
    const ordered = [...party.dues].sort((a, b) => a.rank() - b.rank());
    const taken = ordered.slice(0, trust.size());
    gathering = createParty();
    for (const due of ordered.slice(taken.length)) {
      party.dues.delete(due);
      add(due);
    }
    for (const due of taken) due.begin();
    if (gathering.dues.size > 0) awaitOthers(gathering, 0);
    return taken;
  }

  async function settle(party: Party<T>, taken: readonly Due<T>[], answer: Answer): Promise<void> {
    const [first] = taken;
    if (first && taken.length === 1) {
      const target = { method: 'GET', path: one(first.id).path } as const;
      return first.resolve({ value: readAnswer(target, answer, readOne(first.id)), body: answer.text });
    }
    const page = readPage(
      records,
      taken.map(({ id }) => id),
      answer,
    );
    if (page.limitation) trust.end(page.limitation);
    const found = await Promise.all(taken.map(async (due) => ({ due, loaded: await provenIn(page, due) })));
    await compareFirst(party, found);
    for (const { due, loaded } of found) due.resolve(trust.isCompared() && loaded ? loaded : 'alone');
  }

  async function provenIn(page: Page, { id, options }: Due<T>): Promise<Loaded<T> | undefined> {
    const row = page.rowOf(id);
    return row && (await proveRow(records, id, row, options.stored));
  }

  /** Compares one record with its own GET before the first page is believed: a listing may show less of it. */
  async function compareFirst(
    { controller }: Party<T>,
    found: readonly { readonly due: Due<T>; readonly loaded: Loaded<T> | undefined }[],
  ): Promise<void> {
    const sample = found.find(({ loaded }) => loaded);
    if (trust.isCompared() || trust.size() < 2 || !sample?.loaded) return;
    const { due, loaded } = sample;
    const own = await loadAlone(due.id, controller.signal, due.options).catch(due.reject);
    if (!own) return;
    due.resolve(own);
    trust.compared(lackIn(loaded, own));
  }

  function lackIn(listed: Loaded<T>, own: Loaded<T>): string | undefined {
    const lack = lackOf(JSON.parse(listed.body), JSON.parse(own.body));
    return lack && `${describeMany(records)} shows less of a record than its own GET: ${lack}`;
  }

  async function examine(id: string, signal: AbortSignal): Promise<string | undefined> {
    const page = readPage(records, [id], await exchange(() => many([id]), signal, {}));
    const row = page.rowOf(id);
    const listed = row && (await proveRow(records, id, row, undefined));
    if (page.limitation || !listed)
      return page.limitation ?? `${describeMany(records)} lacks the record, asked for by its id`;
    return lackIn(listed, await loadAlone(id, signal, {}));
  }

  function fail(party: Party<T>, taken: readonly Due<T>[] | undefined, error: unknown): void {
    const isBusy = error instanceof DocklineError && error.code === 'ERR_WAREHOUSE_BUSY';
    if (!taken && isBusy) {
      party.isAsking = false;
      ask(party);
    } else if (taken && taken.length > 1 && isOfPage(error)) {
      trust.shrink();
      leaveAlone(taken);
    } else {
      if (party === gathering) gathering = createParty();
      for (const due of party.dues) due.reject(error);
    }
  }

  return { load, examine };
}

const createParty = <T>(): Party<T> => ({
  dues: new Set(),
  controller: new AbortController(),
  since: 0,
  isAsking: false,
});

const leaveAlone = (dues: readonly { resolve(value: 'alone'): void }[]): void => {
  for (const due of dues) due.resolve('alone');
};

/** Reports whether a GET failed because it asked for many: its records may well be had one by one. */
function isOfPage(error: unknown): boolean {
  if (!(error instanceof DocklineError)) return false;
  const isLate = error.cause instanceof DOMException && error.cause.name === 'TimeoutError';
  return isLate || error.code === 'ERR_WAREHOUSE_UNREADABLE' || error.code === 'ERR_WAREHOUSE_TOO_LARGE';
}
