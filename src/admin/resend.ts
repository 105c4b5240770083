import { subjectKey } from '../domain/catalogue/subject.ts';
import type { Logger } from '../observability/logger.ts';
import type { DeadLetter, DeadLetters } from '../store/tables/dead-letters.ts';
import type { SubjectControl } from './ports.ts';

/** Announcement that is sent again. */
type Resent = Pick<DeadLetter, 'id' | 'subject'>;

/** Dependencies of sending announcements again. */
interface ResendDeps {
  readonly deadLetters: Pick<DeadLetters, 'requeue'>;
  readonly control: Pick<SubjectControl, 'wake'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Number of workflows that are woken in parallel. */
const LANES = 2;

/** Queues announcements for sending and wakes their workflows; the patrol finds those that cannot be woken now. */
export async function resend(rows: readonly Resent[], { deadLetters, control, logger }: ResendDeps): Promise<void> {
  if (rows.length === 0) return;
  await deadLetters.requeue(rows.map(({ id }) => id));
  await wakeAll(rows, control).catch((err: unknown) =>
    logger.warn({ err }, 'could not wake the workflows of announcements to resend; the patrol will'),
  );
}

/** Wakes each subject once. Stops at the first failure, and rejects with it when no call is in progress. */
async function wakeAll(rows: readonly Resent[], { wake }: ResendDeps['control']): Promise<void> {
  const subjects = new Map(rows.map(({ subject }) => [subjectKey(subject), subject])).values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const subject of subjects) {
      if (failures.length > 0) return;
      await wake(subject).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  if (failures.length > 0) throw failures[0];
}
