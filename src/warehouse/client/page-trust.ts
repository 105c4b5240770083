/** Records asked for by one GET; the most keeps the address short. */
const SIZE = { least: 2, most: 100 } as const;

/** So often in a row is not chance. */
const IN_A_ROW = 3;

/** Time for which failed pages are left alone, and after which a sample is compared again. */
const FAILED_MS = 60_000;
const COMPARE_MS = 60_000;

interface TrustOptions {
  /** Time until pages that the warehouse does not answer as it should are tried again. */
  readonly offMs: number;
  /** Receives why each record is asked for by itself, for people; undefined once that has ended. */
  readonly onLimitation: (reason: string | undefined) => void;
  readonly now?: (() => number) | undefined;
}

/** Pages shrink, or end for a while, where the warehouse does not answer them as it should. */
export class PageTrust {
  readonly #options: TrustOptions;
  readonly #now: () => number;
  #size: number = SIZE.most;
  #offUntil = Number.NEGATIVE_INFINITY;
  #comparedAt = Number.NEGATIVE_INFINITY;
  #inARow = { failed: 0, lagging: 0, other: 0 };

  constructor(options: TrustOptions) {
    this.#options = options;
    this.#now = options.now ?? performance.now.bind(performance);
  }

  get size(): number {
    return this.#size;
  }

  get isOn(): boolean {
    return this.#now() >= this.#offUntil;
  }

  get isCompared(): boolean {
    return this.isOn && this.#comparedAt > this.#offUntil;
  }

  /** Due: the first row, and one a minute, are compared with their own GETs. */
  get isSampleDue(): boolean {
    return !this.isCompared || this.#now() > this.#comparedAt + COMPARE_MS;
  }

  /** A page with fewer rows than asked for may be as large as the warehouse's pages are. */
  answered({ asked, count }: { readonly asked: number; readonly count: number }): void {
    this.#inARow.failed = 0;
    if (count < asked) this.#size = Math.max(SIZE.least, Math.min(this.#size, count));
    else if (asked >= this.#size) this.#size = Math.min(SIZE.most, this.#size + 1);
  }

  failed(reason: string, { retryAfterMs = 0 }: { readonly retryAfterMs?: number | undefined } = {}): void {
    this.#size = Math.max(SIZE.least, Math.floor(this.#size / 2));
    const isOut = this.#isRepeated('failed', true);
    if (isOut || retryAfterMs > 0)
      this.end(reason, Math.max(isOut ? Math.min(FAILED_MS, this.#options.offMs) : 0, retryAfterMs));
  }

  /** Notes whether a row was older than it has to be, where its own GET was not. */
  lagged(reason: string | undefined): void {
    if (this.#isRepeated('lagging', reason !== undefined)) this.end(reason);
  }

  /** Notes what a sample's row lacks, or that it shows something else. */
  compared({ lack, other }: { readonly lack?: string | undefined; readonly other?: string | undefined }): void {
    const isOther = this.#isRepeated('other', other !== undefined);
    if (lack !== undefined || isOther) this.end(lack ?? other);
    if (lack !== undefined || other !== undefined) return;
    if (!this.isCompared) this.#options.onLimitation(undefined);
    this.#comparedAt = this.#now();
  }

  end(reason = '', forMs = this.#options.offMs): void {
    if (this.isOn) this.#options.onLimitation(reason);
    this.#offUntil = Math.max(this.#offUntil, this.#now() + forMs);
    this.#inARow = { failed: 0, lagging: 0, other: 0 };
  }

  #isRepeated(what: 'failed' | 'lagging' | 'other', isSo: boolean): boolean {
    this.#inARow[what] = isSo ? this.#inARow[what] + 1 : 0;
    return this.#inARow[what] >= IN_A_ROW;
  }
}
