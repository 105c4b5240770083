export interface Exchange {
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly status: number | null;
  /** First kilobyte; null if it had none. */
  readonly answer: Uint8Array | null;
}

/** `failed` concerns the whole destination. */
export const attemptOutcomes = ['delivered', 'failed', 'refused'] as const;

export type AttemptOutcome = (typeof attemptOutcomes)[number];
