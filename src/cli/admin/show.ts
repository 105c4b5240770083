/** Prints answers. */
export interface Show {
  /** Prints an answer: as JSON with `--json`, otherwise as described. */
  // biome-ignore lint/suspicious/noExplicitAny: each description declares the answer that it takes
  (answer: any, describe: (answer: any) => string): void;
  /** Prints bytes as they come. */
  pass(bytes: AsyncIterable<Uint8Array>): Promise<void>;
}
