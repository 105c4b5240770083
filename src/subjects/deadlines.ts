import { createHash } from 'node:crypto';
import { parseJson } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
import { DAY_MS } from '../base/moment.ts';
import { kindOf, type SubjectKind, type SubjectRef } from '../domain/catalogue/subject.ts';
import { type Deadline, deadlineOf } from '../domain/deadlines/deadline.ts';
import { type Experience, forecast, inTurn, isNotified, learn } from '../domain/deadlines/forecast.ts';
import type { DeadlineFacts, DeadlineRule } from '../domain/deadlines/rule.ts';
import { mainKind } from '../domain/kinds/kinds.ts';
import { readDeadlineFacts } from '../domain/kinds/record.ts';
import type { Places } from '../domain/kinds/section.ts';
import { nextLatenessAt, type SavedSubject } from '../domain/lifecycle/attention.ts';
import type { Lifecycle } from '../domain/lifecycle/lifecycle.ts';
import { isOver } from '../domain/lifecycle/stage.ts';
import { findTenant } from '../domain/permission.ts';
import type { Connections } from '../store/engines/connections.ts';
import { type NewForecast, type OpenRow, readOpen, saveForecasts } from './tables/deadlines.ts';
import { readClosed } from './tables/lead-times.ts';
import type { Resources } from './tables/resources.ts';
import type { Subjects } from './tables/subjects.ts';

interface RuledTenant {
  readonly id: string;
  readonly deadlines: readonly DeadlineRule[];
  readonly properties?: Places;
}

interface DeadlineInput extends Pick<SavedSubject, 'lifecycle' | 'customerId'> {
  readonly subject: SubjectRef;
  readonly before: Pick<SavedSubject, 'lifecycle' | 'deadline' | 'deadlineRules'>;
}

export type Deadlines = ReturnType<typeof createDeadlines>;

/** Increase it when the same rules give another deadline, so that those of open subjects are computed again. */
const VERSION = 2;

/** Time within which a pass looks at a new deadline, in milliseconds. */
const SEEN_WITHIN_MS = 90_000;

export function createDeadlines(tenants: readonly RuledTenant[]) {
  const ruled = tenants.map(({ id, deadlines, properties }) => {
    const byKind = [...Map.groupBy(deadlines, ({ kind }) => kind)];
    const known = byKind.map(([kind, rules]) => [kind, { rules, fingerprint: fingerprintOf(rules) }] as const);
    return { id, places: properties, byKind: new Map(known) };
  });
  const rulesFor = (tenant: string, kind: SubjectKind) => {
    const found = findTenant(ruled, tenant);
    return { ...found?.byKind.get(kind), places: found?.places };
  };
  return {
    /** Fingerprint of those of its kind and tenant; empty if there are none. */
    rulesOf: ({ tenant, kind }: Pick<SubjectRef, 'tenant' | 'kind'>): string =>
      rulesFor(tenant, kind).fingerprint ?? '',

    /** By what is known of the subject and its record as JSON text; undefined if no rule matches. */
    find(
      { tenant, kind }: SubjectRef,
      known: Pick<DeadlineFacts, 'customerId' | 'createdAt'>,
      record: string | undefined,
    ): Deadline | undefined {
      const { rules = [], places } = rulesFor(tenant, kind);
      return deadlineOf(
        { ...readDeadlineFacts(kind, record === undefined ? undefined : parseJson(record), places), ...known, kind },
        rules,
      );
    },

    /** Stays for what was over, and for what had a record that is not stored any more: without it another rule might match. */
    async compute(
      { subject, lifecycle, customerId, before }: DeadlineInput,
      resources: Pick<Resources, 'find'>,
      now: number,
    ): Promise<Pick<SavedSubject, 'deadline' | 'deadlineRules'>> {
      const { tenant, kind, id } = subject;
      const { deadline, deadlineRules } = before;
      if (isOver(kind, before.lifecycle) && isOver(kind, lifecycle)) return { deadline, deadlineRules };
      const rules = this.rulesOf(subject);
      if (rules === '') return {};
      const record = await resources.find(tenant, kind, id);
      if (!record && lifecycle.snapshot) return { deadline, deadlineRules: rules };
      const found = this.find(subject, { customerId, createdAt: createdAt(lifecycle) }, record?.body);
      return {
        deadline: found && carryOver(found, deadline, kindOf(kind).isRouted ? now : undefined),
        deadlineRules: rules,
      };
    },
  };
}

/** One that will be forecast is left to the next pass, which would mostly take back what the fixed time tells at once. */
function carryOver(found: Deadline, known: Deadline | undefined, now: number | undefined): Deadline {
  const { dueAt, ruleAt } = found;
  if (known?.dueAt === dueAt)
    return known.forecast || known.ruleAt === ruleAt ? { ...known, ...found, atRiskAt: known.atRiskAt } : found;
  if (now === undefined || dueAt <= now) return found;
  return { ...found, atRiskAt: Math.max(ruleAt, Math.min(now + SEEN_WITHIN_MS, dueAt)) };
}

/** Undefined for an inferred creation, which has the time of another event. */
function createdAt({ registers: { existence } }: Lifecycle): number | undefined {
  return existence?.milestone === 'created' && existence.eventId !== null ? existence.time : undefined;
}

/** Includes the version of the time zones, which change with Node. */
const fingerprintOf = (rules: readonly DeadlineRule[]): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, process.versions.tz, rules]))
    .digest('base64url')
    .slice(0, 16);

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

/** None for an overdue subject. */
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
  const notified = turns && isNotified(changes) ? at : atRiskAt;
  return {
    ...of,
    ...{
      forecast: found,
      atRiskAt: isNotified(changes) ? notified : dueAt,
      notifiedAt: changes > 0 ? notified : undefined,
    },
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
