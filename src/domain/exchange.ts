/** HTTP exchange of an attempt to send an announcement, without secrets. */
export interface Exchange {
  /** Secret values are masked. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** First kilobyte of the answer's body; null if it had none. */
  readonly answer: Uint8Array | null;
}

/** Result of an attempt to send an announcement: acknowledged, failed for a reason that concerns the whole destination, or rejected. */
export const attemptOutcomes = ['delivered', 'failed', 'refused'] as const;

export type AttemptOutcome = (typeof attemptOutcomes)[number];
