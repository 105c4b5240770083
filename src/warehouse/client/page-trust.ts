/** So often in a row is not chance. */
const IN_A_ROW = 3;

/** Time for which pages are left alone, and after which a row is compared again. */
const OFF_MS = 60_000;
const COMPARE_MS = 60_000;

/** Pages end for a while where the warehouse does not answer them as it should. */
export class PageTrust {
  readonly #onEnd: (reason: string) => void;
  #offUntil = Number.NEGATIVE_INFINITY;
  #comparedAt = Number.NEGATIVE_INFINITY;
  #failed = 0;

  /** Receives why each record is asked for by itself, for people. */
  constructor(onEnd: (reason: string) => void) {
    this.#onEnd = onEnd;
  }

  get isOn(): boolean {
    return performance.now() >= this.#offUntil;
  }

  get isCompared(): boolean {
    return this.isOn && this.#comparedAt > this.#offUntil;
  }

  /** Due: the first row, and one a minute, are compared with their own GETs. */
  get isSampleDue(): boolean {
    return !this.isCompared || performance.now() > this.#comparedAt + COMPARE_MS;
  }

  answered(): void {
    this.#failed = 0;
  }

  failed(reason: string, { retryAfterMs = 0 }: { readonly retryAfterMs?: number | undefined } = {}): void {
    this.#failed += 1;
    const isOut = this.#failed >= IN_A_ROW;
    if (isOut || retryAfterMs > 0) this.end(reason, Math.max(isOut ? OFF_MS : 0, retryAfterMs));
  }

  compared(doubt: string | undefined): void {
    if (doubt !== undefined) this.end(doubt);
    else this.#comparedAt = performance.now();
  }

  end(reason: string, forMs = OFF_MS): void {
    if (this.isOn) this.#onEnd(reason);
    this.#offUntil = Math.max(this.#offUntil, performance.now() + forMs);
    this.#failed = 0;
  }
}
