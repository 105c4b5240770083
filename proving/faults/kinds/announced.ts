import { setTimeout as pause } from 'node:timers/promises';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { type FaultContext, FaultError } from '../fault.ts';

/** Waits until each of some orders is announced with a milestone. Returns how to count the announcements of them with any milestone. */
export async function untilAnnounced(
  { fixture: { receiver }, signal }: FaultContext,
  {
    ids,
    milestone,
    withinMs,
  }: { readonly ids: readonly string[]; readonly milestone: Milestone; readonly withinMs: number },
): Promise<(milestone: Milestone) => number> {
  const countOf = (of: Milestone) =>
    receiver.received().filter(({ id }) => ids.some((it) => id.includes(`:${it}/`)) && id.endsWith(`/${of}`)).length;
  const until = Date.now() + withinMs;
  while (countOf(milestone) < ids.length) {
    if (Date.now() > until)
      throw new FaultError(`${countOf(milestone)} of ${ids.length} orders were announced as ${milestone}`);
    await pause(500, undefined, { signal });
  }
  return countOf;
}
