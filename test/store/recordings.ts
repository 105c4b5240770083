import type { Decision } from '../../activities/ports.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { SavedSubject } from '../../src/domain/lifecycle/attention.ts';
import { type Lifecycle, unknownLifecycle } from '../../src/domain/lifecycle/lifecycle.ts';
import type { Store } from '../../src/store/store.ts';

/** The order that most of the tests of the store are about. */
export const order = { tenant: '9104', kind: 'order', id: '1' } as const;

/** A lifecycle at a revision, with nothing else known of it. */
export const lifecycleAt = (revision: number, rest: Partial<Lifecycle> = {}): Lifecycle => ({
  ...{ ...unknownLifecycle, revision, lastEventTime: revision * 1000 },
  ...rest,
});

/** The announcement of a revision of a subject. */
export const announcementOf = (revision: number, { tenant, kind, id }: SubjectRef = order) => ({
  id: `${kind}:${tenant}:${id}/${revision}/updated`,
  revision,
  body: `{"n":${revision}}`,
  summary: `line ${revision}`,
});

/** What is to be written of a subject; one of which nothing is said is at its first revision. */
export const decisionOf = ({
  announcements = [],
  leaseMs,
  retrieved = false,
  ...saved
}: Partial<SavedSubject & Decision> = {}): Decision => ({
  saved: { lifecycle: lifecycleAt(1), stageSince: 1, refused: [], isUnannounced: false, ...saved },
  ...{ announcements, leaseMs, retrieved },
});

/** Records a subject as it is said, without events. */
export const recordAs = (
  { subjects }: Pick<Store, 'subjects'>,
  subject: SubjectRef,
  decision: Parameters<typeof decisionOf>[0] = {},
) => subjects.record(subject, [], async () => decisionOf(decision));

/** Records a change of a subject from its events: the next revision, with an announcement. */
export const recordNext = ({ subjects }: Pick<Store, 'subjects'>, subject: SubjectRef, eventIds: readonly string[]) =>
  subjects.record(subject, eventIds, async ({ saved }) => {
    const revision = (saved?.lifecycle.revision ?? 0) + 1;
    return decisionOf({ lifecycle: lifecycleAt(revision), announcements: [announcementOf(revision, subject)] });
  });

/** Makes what waits of an order observed, the oldest first; at most as many as given. */
export async function observe({ subjects }: Pick<Store, 'subjects'>, orderId: string, limit = 1000): Promise<void> {
  const subject = { ...order, id: orderId };
  const { events } = await subjects.load(subject, limit);
  await subjects.record(
    subject,
    events.map(({ id }) => id),
    async ({ saved }) => decisionOf(saved ?? {}),
  );
}
