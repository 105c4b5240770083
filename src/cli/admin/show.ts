export interface Show {
  /** Prints JSON with `--json`, otherwise what `describe` returns. */
  // biome-ignore lint/suspicious/noExplicitAny: each description declares the answer that it takes
  (answer: any, describe: (answer: any) => string): void;
  pass(bytes: AsyncIterable<Uint8Array>): Promise<void>;
}
