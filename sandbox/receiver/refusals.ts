/** Creates the memory of announcements that were refused at first, by their ids. */
export function createRefusals() {
  const since = new Map<string, number>();
  const tooLarge = new Set<string>();
  return {
    add(id: string, status: number) {
      if (!since.has(id)) since.set(id, Date.now());
      if (status === 413) tooLarge.add(id);
    },
    /** Returns the time at which an announcement was first refused, in milliseconds since the epoch. */
    since: (id: string): number | undefined => since.get(id),
    /** Reports whether an announcement was once refused because of its size. */
    isTooLarge: (id: string): boolean => tooLarge.has(id),
  };
}
