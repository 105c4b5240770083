import { setTimeout as wait } from 'node:timers/promises';
import type { computeDeadline } from '../../activities/deadline.ts';
import type { Deadlines } from '../../activities/ports/deps.ts';
import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
import type { SubjectRef } from '../domain/catalogue/subject.ts';
import { kindsWithDeadlines } from '../domain/deadlines/rule.ts';
import { nextLatenessAt } from '../domain/lifecycle/lateness.ts';
import type { DeadlineRows } from './tables/deadlines.ts';
import type { Resources } from './tables/resources.ts';

/** Number of subjects per statement, and the pause after it: few enough not to delay a webhook. */
const BATCH = 500;
const PAUSE_MS = 20;

/** Time to the second pass, since a process with other rules may have recorded subjects while this one started; and between later ones. */
const SECOND_MS = 600_000;
const EVERY_MS = 3_600_000;

interface PassDeps {
  readonly deadlineRows: DeadlineRows;
  readonly resources: Pick<Resources, 'find'>;
  readonly deadlines: Deadlines;
  readonly computeDeadline: typeof computeDeadline;
}

/**
 * Computes the deadlines of open subjects again whose rules have changed, and returns how many it saved. A subject that is recorded meanwhile
 * has its deadline from there, so that several processes do no harm.
 */
export async function recomputeDeadlines(deps: PassDeps, closing?: AbortSignal): Promise<number> {
  const { deadlineRows } = deps;
  let saved = 0;
  let after: SubjectRef | undefined;
  while (!closing?.aborted) {
    const page = await deadlineRows.page(kindsWithDeadlines, after, BATCH);
    for (const { subject, rules } of page)
      if (!closing?.aborted && rules !== deps.deadlines.rulesOf(subject) && (await recompute(deps, subject)))
        saved += 1;
    after = page.at(-1)?.subject;
    if (page.length < BATCH) break;
    await wait(PAUSE_MS, undefined, { signal: closing }).catch(() => {});
  }
  return saved;
}

async function recompute(deps: PassDeps, subject: SubjectRef): Promise<boolean> {
  const { deadlineRows, deadlines } = deps;
  const found = await deadlineRows.find(subject);
  // Another process may have been there since the page was read.
  if (!found || (found.deadlineRules ?? '') === deadlines.rulesOf(subject)) return false;
  const { lifecycle, customerId } = found;
  const deadline = await deps.computeDeadline(deps, { subject, lifecycle, customerId, before: found });
  const lateAt = nextLatenessAt(subject.kind, { lifecycle, ...deadline }, Date.now());
  return await deadlineRows.save(subject, { ...deadline, lateAt }, found);
}

/** Keeps the deadlines of open subjects as the rules say, from the start on. */
export function keepDeadlines({ logger, ...deps }: PassDeps & { readonly logger: Pick<Logger, 'info' | 'warn'> }) {
  let waitMs = SECOND_MS;
  const loop = createLoop(async (closing) => {
    await recomputeDeadlines(deps, closing).then(
      (saved) => saved > 0 && logger.info({ saved }, 'computed deadlines again, since the rules have changed'),
      (err: unknown) => logger.warn({ err }, 'cannot compute deadlines again; retrying later'),
    );
    const nextMs = waitMs;
    waitMs = EVERY_MS;
    return nextMs;
  });
  loop.start();
  return loop;
}
