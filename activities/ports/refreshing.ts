/** State of a refresh of many subjects. */
export interface Refreshing {
  readonly total: number;
  readonly done: number;
  /** Subjects whose warehouse was asked and had not answered when the refresh went on. */
  readonly asked: number;
  readonly failed: number;
  readonly isOver: boolean;
}

export interface RefreshingDeps {
  /** Refreshes the next few subjects of a bulk action, and writes down the results. One that was canceled, or is unknown, is over. */
  readonly refreshPage: (bulk: number) => Promise<Refreshing>;
  /** Marks a bulk action as canceled. */
  readonly cancelRefresh: (bulk: number) => Promise<void>;
}
