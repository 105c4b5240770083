/** Place of a subject in a store, within one transaction. */
export interface Position<Transaction> {
  /** Sequence of the last announcement that was taken; 0 for a subject that is not known yet. */
  readonly last: number;
  /** Transaction of the store, for what the handler writes. */
  readonly transaction: Transaction;
  /** Sets the last sequence; it counts once the transaction is committed. */
  advance(sequence: number): Promise<void>;
}

/** Store of the last sequence of each subject. */
export interface Store<Transaction> {
  /**
   * Does work in a transaction that locks the subject, so that no other does work for it meanwhile. Commits if the work resolves,
   * and rolls back if it rejects.
   */
  transact<Result>(subject: string, work: (position: Position<Transaction>) => Promise<Result>): Promise<Result>;
}
