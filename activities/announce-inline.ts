import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { LeasedAnnouncement } from '../src/domain/outgoing.ts';
import type { Announced } from './announce.ts';
import { askedWait, noteFailure } from './failure.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { type SendFailure, send } from './send.ts';
import { sendInOrder } from './send-queue.ts';

/** Result of announcing within the workflow's own task. */
export interface AnnouncedInline extends Announced {
  /** Ids of those that are left to a regular activity, in order. */
  readonly left: readonly string[];
  /** Wait that the destination asked for before they are sent, in milliseconds; absent if it asked for none. */
  readonly waitMs?: number;
}

/** Timeout of inline announcing, which delays its workflow's task, in milliseconds. */
const INLINE_MS = 1000;

/**
 * Sends announcements that this process has leased, to their destinations side by side, to each up to the first that it does not accept
 * within a second; those behind it are released.
 */
export async function announceInline(
  deps: ActivityDeps,
  subject: SubjectRef,
  leased: readonly LeasedAnnouncement[],
): Promise<Readonly<Record<string, AnnouncedInline>>> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, INLINE_MS);
  const queues = Map.groupBy(leased, ({ destination }) => destination);
  const announce = async ([destination, queue]: readonly [string, readonly LeasedAnnouncement[]]) =>
    [destination, await sendInline(deps, { subject, destination, queue }, late.promise)] as const;
  const announcing = Promise.all([...queues].map(announce));
  // At a stop the attempt may end before, and go on with the next announcement.
  deps.inBackground(announcing);
  try {
    return Object.fromEntries(await announcing);
  } finally {
    clearTimeout(timer);
  }
}

/** Leased announcements of a subject for one destination. */
interface Queue {
  readonly subject: SubjectRef;
  readonly destination: string;
  readonly queue: readonly LeasedAnnouncement[];
}

async function sendInline(
  deps: ActivityDeps,
  { subject, destination, queue }: Queue,
  late: Promise<void>,
): Promise<AnnouncedInline> {
  const { results, rejected, stuck } = await sendInOrder(
    {
      outbox: deps.outbox,
      announcements: queue,
      send: (announcement) =>
        Promise.race([send(deps, subject.tenant, announcement), late.then(() => tooLate(announcement))]),
    },
    () => true,
  );
  const refused = rejected.map(({ id }) => id);
  if (!stuck) return { results, refused, left: [] };
  const left = queue.slice(queue.findIndex(({ id }) => id === stuck.id));
  return { results, refused, ...(await giveBack(deps, { subject, destination, queue: left }, stuck.error)) };
}

const tooLate = ({ id, attempts }: LeasedAnnouncement): SendFailure => ({
  id,
  error: new Error(`no answer within ${INLINE_MS} ms`),
  attempts,
  giveUpAt: Infinity,
});

async function giveBack(
  deps: ActivityDeps,
  { subject, destination, queue }: Queue,
  error: unknown,
): Promise<Pick<AnnouncedInline, 'left' | 'waitMs'>> {
  const waitMs = askedWait(error, deps.retry);
  deps.inline.announcingFailed(subject.tenant, destination);
  await deps.outbox.release(queue.slice(1));
  await noteFailure(deps, subject, 'announcing', { error, operation: 'announce', waitMs });
  return { left: queue.map(({ id }) => id), ...(waitMs > 0 && { waitMs }) };
}
