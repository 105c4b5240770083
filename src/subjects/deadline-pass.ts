import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
import { DAY_MS } from '../base/moment.ts';
import { kindOf, type SubjectRef } from '../domain/catalogue/subject.ts';
import { type Experience, forecast, inTurn, isTold, learn } from '../domain/deadlines/forecast.ts';
import { mainKind } from '../domain/kinds/kinds.ts';
import { nextLatenessAt } from '../domain/lifecycle/lateness.ts';
import type { Connections } from '../store/engines/connections.ts';
import type { Deadlines } from './deadlines.ts';
import { type NewForecast, type OpenRow, readOpen, saveForecasts } from './tables/deadlines.ts';
import { readClosed } from './tables/lead-times.ts';
import type { Subjects } from './tables/subjects.ts';

/** Few enough per statement not to delay a webhook. */
const BATCH = 2000;

/** Between two passes; also how long what was learned from the past holds. */
const EVERY_MS = 60_000;
const LEARNED_MS = 600_000;

/** Shipped orders within it count as the past. */
const PAST_MS = 28 * DAY_MS;

/** A smaller move, or one by a smaller part of the time to it, is not saved. */
const LEAST_MOVE_MS = 300_000;
const LEAST_MOVE_PART = 0.1;

interface PassDeps extends Pick<Connections, 'db' | 'reads'> {
  readonly subjects: Pick<Subjects, 'recompute'>;
  readonly deadlines: Deadlines;
}

/** A subject that is recorded meanwhile has its deadline from there, so that several processes do no harm. Returns how many were computed again. */
export function createPass(deps: PassDeps) {
  let learned: { readonly at: number; readonly experience: Experience } | undefined;
  return async (now: number, closing?: AbortSignal): Promise<number> => {
    const { known = [], outdated = [] } = Object.groupBy(await readOpen(deps.reads), (row) =>
      row.rules === deps.deadlines.rulesOf(row) ? 'known' : 'outdated',
    );
    let saved = 0;
    for (const row of outdated) if (!closing?.aborted && (await recompute(deps, row))) saved += 1;
    const open = known.filter(({ kind }) => kindOf(kind).isRouted);
    if (open.length === 0 || closing?.aborted) return saved;
    if (!learned || learned.experience.size === 0 || now - learned.at >= LEARNED_MS) {
      const { rows, share } = await readClosed(deps.reads, { kind: mainKind, since: now - PAST_MS, until: now });
      learned = { at: now, experience: learn(rows, now, share) };
    }
    const forecasts = forecastAll(learned.experience, open, now);
    for (let from = 0; from < forecasts.length && !closing?.aborted; from += BATCH)
      await saveForecasts(deps.db, forecasts.slice(from, from + BATCH));
    return saved;
  };
}

const forecastAll = (experience: Experience, open: readonly OpenRow[], now: number): readonly NewForecast[] =>
  inTurn(open).flatMap((turns) => turns.flatMap((row, ahead) => foretell(experience, row, { ahead, at: now }) ?? []));

/** What is overdue needs none. */
function foretell(experience: Experience, row: OpenRow, { ahead, at }: { ahead: number; at: number }) {
  const { tenant, kind, id, updatedAt, dueAt, expectedAt } = row;
  if (dueAt === null || dueAt <= at) return undefined;
  const of = { tenant, kind, id, updatedAt };
  const atRiskAt = row.atRiskAt ?? dueAt;
  // A rule tells once.
  const before = row.changes ?? Number(atRiskAt <= at);
  const found = forecast(experience, row, { ahead, at, changes: before });
  if (!found) return expectedAt === null ? undefined : { ...of, lateAt: at };
  const { changes } = found;
  const turns = changes !== before;
  if (!turns && !hasMoved(expectedAt, found.expectedAt, at)) return undefined;
  const told = turns && isTold(changes) ? at : atRiskAt;
  return {
    ...of,
    ...{ forecast: found, atRiskAt: isTold(changes) ? told : dueAt, toldAt: changes > 0 ? told : undefined },
    // Its workflow has told what it is now unless that turns.
    lateAt: turns ? at : dueAt,
  };
}

const hasMoved = (known: number | null, found: number, now: number): boolean =>
  known === null || Math.abs(found - known) >= Math.max(LEAST_MOVE_MS, LEAST_MOVE_PART * (found - now));

const recompute = ({ subjects, deadlines }: PassDeps, { tenant, kind, id }: SubjectRef): Promise<boolean> => {
  const subject = { tenant, kind, id };
  return subjects.recompute(subject, async (before, resources) => {
    // Another process may have been there since the page was read.
    if ((before.deadlineRules ?? '') === deadlines.rulesOf(subject)) return undefined;
    const now = Date.now();
    const found = await deadlines.compute({ ...before, subject, before }, resources, now);
    return { ...found, lateAt: nextLatenessAt(kind, { ...found, lifecycle: before.lifecycle }, now) };
  });
};

export function keepDeadlines({ logger, ...deps }: PassDeps & { readonly logger: Pick<Logger, 'info' | 'warn'> }) {
  const pass = createPass(deps);
  const loop = createLoop(async (closing) => {
    await pass(Date.now(), closing).then(
      (saved) => saved > 0 && logger.info({ saved }, 'computed deadlines again, since the rules have changed'),
      (err: unknown) => logger.warn({ err }, 'cannot compute deadlines again; retrying later'),
    );
    return EVERY_MS;
  });
  loop.start();
  return loop;
}
