import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { SavedSubject } from '../src/domain/lifecycle/attention.ts';
import type { Lifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import { isOver } from '../src/domain/lifecycle/stage.ts';
import type { Resources } from '../src/subjects/tables/resources.ts';
import type { Deadlines } from './ports/deps.ts';

/** Deadline of a subject, with the rules by which it was computed. */
export type KnownDeadline = Pick<SavedSubject, 'deadline' | 'deadlineRules'>;

/** Facts of a subject that decide when it is due. */
interface DeadlineInput {
  readonly subject: SubjectRef;
  readonly lifecycle: Lifecycle;
  readonly customerId: string | undefined;
  /** State before the change. */
  readonly before: KnownDeadline & Pick<SavedSubject, 'lifecycle'>;
}

/**
 * Computes when a subject is due. The deadline of one that was over stays, and so does that of one whose record was fetched and is not stored
 * any more: without it another rule might match.
 */
export async function computeDeadline(
  { deadlines, resources }: { readonly deadlines: Deadlines | undefined; readonly resources: Pick<Resources, 'find'> },
  { subject, lifecycle, customerId, before }: DeadlineInput,
): Promise<KnownDeadline> {
  const { tenant, kind, id } = subject;
  const { deadline, deadlineRules } = before;
  if (isOver(kind, before.lifecycle) && isOver(kind, lifecycle)) return { deadline, deadlineRules };
  const rules = deadlines?.rulesOf(subject);
  if (!deadlines || !rules) return {};
  const record = await resources.find(tenant, kind, id);
  if (!record && lifecycle.snapshot) return { deadline, deadlineRules: rules };
  const found = deadlines.find(subject, { customerId, createdAt: createdAt(lifecycle) }, record?.body);
  return { deadline: found, deadlineRules: rules };
}

/** Returns the time of the event that reported the creation; an inferred creation has the time of another event. */
function createdAt({ registers: { existence } }: Lifecycle): number | undefined {
  return existence?.milestone === 'created' && existence.eventId !== null ? existence.time : undefined;
}
