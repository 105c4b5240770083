import { kindOf, type SubjectKind, type SubjectRef } from '../catalogue/subject.ts';
import type { SavedSubject } from '../lifecycle/attention.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import { isOver } from '../lifecycle/stage.ts';
import type { Deadline, DeadlineFacts } from './deadline.ts';

export interface Deadlines {
  /** Identity of the rules of its kind and tenant; empty without any. */
  rulesOf(subject: SubjectRef): string;
  /** By the record as JSON text; undefined if no rule matches. */
  find(
    subject: SubjectRef,
    known: Pick<DeadlineFacts, 'customerId' | 'createdAt'>,
    record: string | undefined,
  ): Deadline | undefined;
}

interface Records {
  find(tenant: string, kind: SubjectKind, id: string): Promise<{ readonly body: string } | undefined>;
}

type KnownDeadline = Pick<SavedSubject, 'deadline' | 'deadlineRules'>;

interface DeadlineInput {
  readonly subject: SubjectRef;
  readonly lifecycle: Lifecycle;
  readonly customerId: string | undefined;
  readonly before: KnownDeadline & Pick<SavedSubject, 'lifecycle'>;
}

/**
 * The deadline of a subject that was over stays, and so does that of one whose record is no longer stored: without it another rule might
 * match.
 */
export async function computeDeadline(
  { deadlines, resources }: { readonly deadlines: Deadlines | undefined; readonly resources: Records },
  { subject, lifecycle, customerId, before }: DeadlineInput,
  now: number,
): Promise<KnownDeadline> {
  const { tenant, kind, id } = subject;
  const { deadline, deadlineRules } = before;
  if (isOver(kind, before.lifecycle) && isOver(kind, lifecycle)) return { deadline, deadlineRules };
  const rules = deadlines?.rulesOf(subject);
  if (!deadlines || !rules) return {};
  const record = await resources.find(tenant, kind, id);
  if (!record && lifecycle.snapshot) return { deadline, deadlineRules: rules };
  const found = deadlines.find(subject, { customerId, createdAt: createdAt(lifecycle) }, record?.body);
  const isSame = rules === deadlineRules && found?.because === deadline?.because;
  return {
    deadline: found && carryOver(found, { known: deadline, isSame, isForecast: kindOf(kind).isRouted === true, now }),
    deadlineRules: rules,
  };
}

interface Before {
  readonly known: Deadline | undefined;
  /** By the same rules, for the same reason. */
  readonly isSame: boolean;
  readonly isForecast: boolean;
  readonly now: number;
}

/** A pass looks at a new deadline within it. */
const SEEN_WITHIN_MS = 90_000;

/**
 * Keeps the forecast for the same time. A new deadline is left to the next pass: the fixed time would mostly tell at once what that takes
 * back.
 */
function carryOver(found: Deadline, { known, isSame, isForecast, now }: Before): Deadline {
  const { dueAt, atRiskAt: ruleAt } = found;
  if (dueAt !== known?.dueAt) {
    const isLeft = isForecast && dueAt > now;
    return isLeft ? { ...found, atRiskAt: Math.max(ruleAt, Math.min(now + SEEN_WITHIN_MS, dueAt)) } : found;
  }
  if (isSame) return known;
  const { atRiskAt, forecast } = known;
  return forecast ? { ...found, atRiskAt, forecast: { ...forecast, ruleAt } } : found;
}

/** Undefined if inferred: it would be the time of another event. */
function createdAt({ registers: { existence } }: Lifecycle): number | undefined {
  return existence?.milestone === 'created' && existence.eventId !== null ? existence.time : undefined;
}
