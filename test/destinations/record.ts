import type { Store } from '../../src/app/store.ts';
import { parseSubjectKey, type SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { SavedSubject } from '../../src/domain/lifecycle/attention.ts';
import type { Lifecycle } from '../../src/domain/lifecycle/lifecycle.ts';
import { decisionOf, lifecycleOf } from '../support/make.ts';

/** Parses a subject's key. */
export function refOf(key: string): SubjectRef {
  const subject = parseSubjectKey(key);
  if (!subject) throw new Error(`${key} is no subject's key`);
  return subject;
}

/** Subject to record; absent fields are unknown. */
interface RecordedSubject extends Partial<Omit<Lifecycle, 'revision'>> {
  readonly stageSince?: number;
  readonly refused?: SavedSubject['refused'];
  /** Milestones to announce, one per revision. */
  readonly milestones?: readonly string[];
}

/** Records a subject by its key, with the announcements `{key}/1/created` and so on; returns their ids. */
export async function record({ subjects }: Store, key: string, subject: RecordedSubject = {}): Promise<string[]> {
  const { stageSince = 0, refused = [], milestones = ['created'], ...lifecycle } = subject;
  const { decision } = await subjects.record(refOf(key), [], async ({ saved }) => {
    const known = saved?.lifecycle.revision ?? 0;
    return decisionOf({
      lifecycle: lifecycleOf({ ...lifecycle, revision: known + milestones.length }),
      stageSince,
      refused,
      isUnannounced: saved?.isUnannounced ?? false,
      announcements: milestones.map((milestone, index) => {
        const revision = known + index + 1;
        const body = JSON.stringify({ name: `Jane ${revision}` });
        return {
          id: `${key}/${revision}/${milestone}`,
          revision,
          body,
          summary: `- **${milestone}**`,
          destinations: ['default'],
        };
      }),
    });
  });
  return decision.announcements.map(({ id }) => id);
}
