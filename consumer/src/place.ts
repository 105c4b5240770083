import type { Announcement } from './announcement.ts';

/** Place of an announcement among those of its subject. */
export interface Place {
  readonly subject: string;
  readonly revision: number;
  /** Revision of the one that this endpoint gets before it; 0 for the first. */
  readonly previous: number;
}

/** Returns the place of an announcement. One that is about no subject is the only one of its id. */
export function placeOf({ id, partitionkey, sequence, data }: Announcement): Place {
  if (partitionkey === undefined || sequence === undefined) return { subject: id, revision: 1, previous: 0 };
  const revision = Number(sequence);
  const { previous = revision - 1 } = (data ?? {}) as { readonly previous?: number | null };
  return { subject: partitionkey, revision, previous: previous ?? 0 };
}
