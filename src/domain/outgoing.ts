/** Announcement for one destination. */
export interface Outgoing {
  /** Id of the announcement. */
  readonly id: string;
  /** Identity of a destination of its tenant. */
  readonly destination: string;
}

/** Ids of announcements in their order, by the identities of their destinations. */
export type OutgoingIds = Readonly<Record<string, readonly string[]>>;

/** Groups announcements by their destinations, in their order. */
export function byDestination(outgoing: readonly Outgoing[]): OutgoingIds {
  const grouped = new Map<string, string[]>();
  for (const { id, destination } of outgoing) {
    const ids = grouped.get(destination);
    if (ids) ids.push(id);
    else grouped.set(destination, [id]);
  }
  return Object.fromEntries(grouped);
}
