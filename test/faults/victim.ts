/** Something that is killed and started again. */
export interface Victim {
  readonly name: string;
  /** Resolves when it is gone; nothing is said to it before. */
  kill(): Promise<void>;
  /** Resolves when it serves. */
  start(): Promise<void>;
}
