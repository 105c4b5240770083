import type { Store } from '../../src/app/store.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { isWaiting } from '../../src/inbox/tables/waiting.ts';
import { announcementOf, decisionOf, lifecycleAt, orderOf } from '../support/make.ts';

/** Records a decision without events. */
export const recordAs = (
  { subjects }: Pick<Store, 'subjects'>,
  subject: SubjectRef,
  decision: Parameters<typeof decisionOf>[0] = {},
) => subjects.record(subject, [], async () => decisionOf(decision));

/** Records events as the next revision, with an announcement. */
export const recordNext = ({ subjects }: Pick<Store, 'subjects'>, subject: SubjectRef, eventIds: readonly string[]) =>
  subjects.record(subject, eventIds, async ({ saved }) => {
    const revision = (saved?.lifecycle.revision ?? 0) + 1;
    return decisionOf({ lifecycle: lifecycleAt(revision), announcements: [announcementOf(revision, subject)] });
  });

/** Observes the oldest waiting events of an order, up to a limit. */
export async function observe({ subjects }: Pick<Store, 'subjects'>, orderId: string, limit = 1000): Promise<void> {
  const subject = orderOf(orderId);
  const { events } = await subjects.load(subject, limit);
  await subjects.record(
    subject,
    events.map(({ id }) => id),
    async ({ saved }) => ({
      ...decisionOf(saved ?? {}),
      customersOfEvents: new Map(
        saved?.customerId === undefined ? [] : events.map(({ id }) => [id, saved.customerId ?? '']),
      ),
    }),
  );
}

/** Returns the subject keys of the events that wait, in the order of the inbox. */
export const waitingKeys = async ({ db }: Pick<Store, 'db'>): Promise<readonly (string | null)[]> =>
  (await db.selectFrom('inbox').where(isWaiting).select('subject_key').orderBy('id').execute()).map(
    ({ subject_key }) => subject_key,
  );

/** Returns the step of each subject that is due, by its key. */
export async function dueSteps({ db }: Pick<Store, 'db'>): Promise<Readonly<Record<string, string>>> {
  const rows = await db.selectFrom('due').select(['subject_key', 'step']).orderBy('subject_key').execute();
  return Object.fromEntries(rows.map(({ subject_key, step }) => [subject_key, step]));
}

/** Takes the subjects that are to be woken now, and returns their keys. */
export const takeKeys = async ({ due }: Pick<Store, 'due'>): Promise<readonly string[]> =>
  (await due.takeWakes(100)).map(({ key }) => key).toSorted();
