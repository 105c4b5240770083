import { completeFacts } from '../../src/domain/catalogue/record-facts.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { SavedSubject } from '../../src/domain/lifecycle/attention.ts';
import { type Lifecycle, unknownLifecycle } from '../../src/domain/lifecycle/lifecycle.ts';
import type { Outgoing } from '../../src/domain/outgoing.ts';
import type { Decision } from '../../src/store/decision.ts';
import type { Store } from '../../src/store/store.ts';
import { isWaiting } from '../../src/store/tables/waiting.ts';

/** Order that most tests of the store use. */
export const order = { tenant: '9104', kind: 'order', id: '1' } as const;

/** Creates a lifecycle at a revision. */
export const lifecycleAt = (revision: number, rest: Partial<Lifecycle> = {}): Lifecycle => ({
  ...unknownLifecycle,
  revision,
  lastEventTime: revision * 1000,
  ...rest,
});

/** Names an announcement for the destination that most tests use. */
export const toDefault = (id: string): Outgoing => ({ id, destination: 'default' });

/** Creates the announcement of a subject's revision. */
export const announcementOf = (revision: number, { tenant, kind, id }: SubjectRef = order) => ({
  id: `${kind}:${tenant}:${id}/${revision}/updated`,
  revision,
  body: `{"n":${revision}}`,
  summary: `line ${revision}`,
  destinations: ['default'],
});

/** Returns the facts that a lifecycle knows; undefined for none. */
function factsIn({ snapshot }: Partial<Lifecycle> = {}) {
  const facts = completeFacts({}, snapshot ?? {});
  return Object.keys(facts).length > 0 ? facts : undefined;
}

type Unowned<T extends { readonly customerId: unknown }> = Omit<T, 'customerId'> & Partial<Pick<T, 'customerId'>>;

const customerOf = ({ customerId, lifecycle }: Partial<SavedSubject>) => customerId ?? lifecycle?.snapshot?.customerId;

/** Creates a decision, by default for a first revision. */
export const decisionOf = ({
  announcements = [],
  late,
  leaseMs,
  retrieved = false,
  ...saved
}: Partial<SavedSubject & Omit<Decision, 'announcements'>> & {
  /** By default they are of the customer of the subject. */
  readonly announcements?: readonly Unowned<Decision['announcements'][number]>[];
  readonly leaseMs?: number | undefined;
} = {}): Decision => ({
  saved: {
    lifecycle: lifecycleAt(1),
    stageSince: 1,
    refused: [],
    isUnannounced: false,
    customerId: customerOf(saved),
    facts: factsIn(saved.lifecycle),
    ...saved,
  },
  announcements: announcements.map((it) => ({ ...it, customerId: it.customerId ?? customerOf(saved) ?? null })),
  late,
  ...(leaseMs !== undefined && { leaseMsOf: () => leaseMs }),
  retrieved,
});

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
  const subject = { ...order, id: orderId };
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
