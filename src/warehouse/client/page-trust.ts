import { isObject, readerOf } from '../../base/json.ts';
import { linesIn } from '../../domain/catalogue/rows.ts';

/** Numbers of records asked for by one GET: at first, at least, and at most, which keeps the address short. */
const SIZE = { first: 50, least: 2, most: 100 } as const;

/** Part of the timeout within which a page has to come to grow. */
const QUICKLY = 1 / 3;

/** Keeper of how far the pages of one kind can be trusted. */
export type PageTrust = ReturnType<typeof createPageTrust>;

/** Creates the trust in pages of many records: they begin small, and end for a while where the warehouse does not answer them as it should. */
export function createPageTrust({
  timeoutMs,
  offMs,
  onLimitation,
  now = performance.now.bind(performance),
}: {
  /** Timeout of a GET, in milliseconds. */
  readonly timeoutMs: number;
  /** Time until pages are tried again, in milliseconds. */
  readonly offMs: number;
  /** Receives the reason why each record is asked for by itself, for people; undefined once it has ended. */
  readonly onLimitation: (reason: string | undefined) => void;
  readonly now?: (() => number) | undefined;
}) {
  let size: number = SIZE.first;
  let offUntil = Number.NEGATIVE_INFINITY;
  let isCompared = false;

  function end(reason: string): void {
    offUntil = now() + offMs;
    isCompared = false;
    onLimitation(reason);
  }

  return {
    /** Returns how many records may be asked for by one GET; 1 while pages are off. */
    size: () => (now() < offUntil ? 1 : size),
    /** Reports whether a record was compared with its own GET. */
    isCompared: () => isCompared,
    /** Notes the comparison, and what the row lacked. */
    compared(reason: string | undefined) {
      if (reason !== undefined) return end(reason);
      isCompared = true;
      onLimitation(undefined);
    },
    /** Notes a page that was answered. */
    answered({ asked, ms }: { readonly asked: number; readonly ms: number }) {
      if (asked >= size && ms < timeoutMs * QUICKLY) size = Math.min(SIZE.most, size * 2);
    },
    /** Notes a page that was too large, too slow or not to be read. */
    shrink() {
      size = Math.max(SIZE.least, Math.floor(size / 2));
    },
    /** Ends pages for a while. */
    end,
  };
}

/** Returns what a record has by itself and its row in a page lacks, such as its lines; undefined for nothing. */
export function lackOf(row: unknown, record: unknown): string | undefined {
  const present = new Set(sectionsOf(row));
  const missing = sectionsOf(record).filter((section) => !present.has(section));
  return missing.length > 0 ? missing.join(', ') : undefined;
}

/** Facts come and go with what happens; sections are asked for. */
function sectionsOf(record: unknown): readonly string[] {
  if (!isObject(record)) return [];
  const lines = linesIn(record);
  const { _links, ...parts } = record;
  const [line] = lines ?? [];
  return [
    ...namesOf(parts),
    ...namesOf(readerOf(record)('_embedded')),
    ...namesOf(line).map((name) => `items.${name}`),
  ];
}

const namesOf = (value: unknown): readonly string[] =>
  isObject(value) ? Object.keys(value).map((name) => name.toLowerCase()) : [];
