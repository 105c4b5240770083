import type { Service } from '../../app/service.ts';
import { subjectKey } from '../../domain/catalogue/subject.ts';
import type { ListedSubject } from '../../store/tables/summary.ts';
import type { Receiver } from '../receiver/receiver.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { settle } from './settle.ts';
import type { Evidence, Summary } from './summary.ts';
import { webhookRecords } from './webhook-records.ts';

/** What a demonstration runs on. */
export interface Demonstration {
  readonly orders: number;
  readonly simulator: Simulator;
  /** The embedded receiver; what the destination of somebody else acknowledged is read from the store. */
  readonly receiver: Receiver | undefined;
  readonly service: Service;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Sends orders, and beside them everything else that the warehouse tells of, through their lives and waits for what should come of them. */
export async function demonstrate(demonstration: Demonstration): Promise<Summary> {
  const { orders, simulator, service, progress, signal } = demonstration;
  const startedAt = Date.now();
  simulator.setWebhooks(webhookRecords(service.intake.url));
  await simulator.play({
    orders,
    receipts: Math.ceil(orders / 5),
    adjustments: Math.ceil(orders / 10),
    assemblies: Math.ceil(orders / 10),
    items: Math.ceil(orders / 10),
    stock: Math.ceil(orders / 5),
    holds: Math.ceil(orders / 10),
    onProgress: (done) => progress(`lives that are over: ${done}`),
  });
  return await settle({
    gather: () => gather(demonstration, startedAt),
    isIdle: async () => service.intake.isIdle() && (await service.store.summary.announcements()).unsent === 0,
    progress,
    signal,
  });
}

/** Gathers what should have come and what came, as it is now. */
export async function gather(
  { simulator, receiver, service }: Pick<Demonstration, 'simulator' | 'receiver' | 'service'>,
  startedAt: number,
): Promise<Evidence> {
  const truth = simulator.truth();
  const mine = new Set(truth.map(subjectKey));
  const { sent, undelivered } = simulator.counts();
  const acknowledged = receiver?.received().map(({ id }) => id) ?? (await service.store.summary.acknowledged());
  const subjects = (await service.store.summary.subjects()).filter((subject) => mine.has(subjectKey(subject)));
  return {
    truth,
    sent,
    undelivered,
    inbox: service.intake.counts(),
    subjects: await Promise.all(subjects.map((subject) => withLevels(service, subject))),
    received: acknowledged.filter((id) => mine.has(id.split('/')[0] ?? '')),
    duplicates: receiver?.tally().duplicates ?? 0,
    outOfOrder: receiver?.tally().outOfOrder ?? 0,
    warehouseCalls: service.work.calls(),
    elapsedMs: Date.now() - startedAt,
  };
}

async function withLevels({ store }: Service, subject: ListedSubject): Promise<Evidence['subjects'][number]> {
  const known = subject.kind === 'stock' ? await store.subjects.load(subject, 0) : undefined;
  const levels = known?.saved?.lifecycle.snapshot?.levels;
  return { ...subject, key: subjectKey(subject), ...(levels && { levels }) };
}
