/** How long Temporal waits between two attempts of an activity: doubling, from a second up. */
export const retryPolicy = { initialIntervalMs: 1000, backoffCoefficient: 2 } as const;

/** The longest such waits, in milliseconds. */
export const longestWaitMs = { retrieve: 300_000, announce: 900_000, store: 30_000 } as const;
