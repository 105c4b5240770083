import { createHash } from 'node:crypto';
import { parseJson } from '../base/json.ts';
import { kindOf, type SubjectKind, type SubjectRef } from '../domain/catalogue/subject.ts';
import { type Deadline, deadlineOf } from '../domain/deadlines/deadline.ts';
import type { DeadlineFacts, DeadlineRule } from '../domain/deadlines/rule.ts';
import { readDeadlineFacts } from '../domain/kinds/record.ts';
import type { Places } from '../domain/kinds/section.ts';
import type { SavedSubject } from '../domain/lifecycle/attention.ts';
import type { Lifecycle } from '../domain/lifecycle/lifecycle.ts';
import { isOver } from '../domain/lifecycle/stage.ts';
import { findTenant } from '../domain/permission.ts';
import type { Resources } from './tables/resources.ts';

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
